package dev.sluice.core.application;

/** What a taint does to tasks that do not tolerate it. */
public enum TaintEffect {
    /** They do not start on the node. */
    NO_SCHEDULE("NoSchedule"),
    /** They start on the node only if no other node has room for them. */
    PREFER_NO_SCHEDULE("PreferNoSchedule"),
    /** They do not start on the node, and those that run there are stopped and run elsewhere. */
    NO_EXECUTE("NoExecute");

    private final String wireName;

    TaintEffect(String wireName) {
        this.wireName = wireName;
    }

    /** Whether tasks that do not tolerate such a taint must not start on its node. */
    public boolean excludes() {
        return this != PREFER_NO_SCHEDULE;
    }

    /** The name in files and in the API, which is Kubernetes'. */
    public String wireName() {
        return wireName;
    }
}
