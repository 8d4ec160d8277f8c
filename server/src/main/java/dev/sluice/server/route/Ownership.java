package dev.sluice.server.route;

/** Whose applications a route may be called for, in addition to the role it requires. */
public enum Ownership {
    ANY("any", "all applications"),
    ADMINISTERED("administered", "own applications, and those in queues that the caller administers; operators: all"),
    OWN("own", "own applications; admins: all");

    /** How a caller relates to an application. */
    public enum Relation {
        /** The caller submitted it. */
        OWNER,
        /** The caller administers its queue ({@code adminacl}). */
        QUEUE_ADMIN,
        OTHER
    }

    private final String wireName;
    private final String meaning;

    Ownership(String wireName, String meaning) {
        this.wireName = wireName;
        this.meaning = meaning;
    }

    /** Returns the name used in OpenAPI. */
    public String wireName() {
        return wireName;
    }

    /** Returns whose applications it permits. */
    public String meaning() {
        return meaning;
    }

    /** Returns whether it permits a caller with this role, which suffices for the route, and this relation. */
    public boolean permits(Role role, Relation relation) {
        return switch (this) {
            case ANY -> true;
            case ADMINISTERED -> relation != Relation.OTHER || role.compareTo(Role.OPERATOR) >= 0;
            case OWN -> relation == Relation.OWNER || role == Role.ADMIN;
        };
    }
}
