package dev.sluice.server.route;

/** What somebody must be allowed to do for a route to serve them, in ascending order: who has a role has those before it. */
public enum Role {
    /** Anybody who reaches the server. */
    ANYONE("anyone", "anyone who can reach the server"),
    /** May look at everything. */
    VIEWER("viewer", "may read everything"),
    /** May submit applications, and change their own. */
    SUBMITTER("submitter", "may submit applications, and change or cancel their own"),
    /** Runs tasks on nodes and reports what becomes of them. */
    AGENT("agent", "runs tasks on nodes and reports their status"),
    /** May change nodes, and everybody's applications. */
    OPERATOR("operator", "may change nodes and all applications"),
    /** May change the configuration. */
    ADMIN("admin", "may change the configuration");

    private final String wireName;
    private final String meaning;

    Role(String wireName, String meaning) {
        this.wireName = wireName;
        this.meaning = meaning;
    }

    /** The name used in documents. */
    public String wireName() {
        return wireName;
    }

    /** What it lets people do. */
    public String meaning() {
        return meaning;
    }
}
