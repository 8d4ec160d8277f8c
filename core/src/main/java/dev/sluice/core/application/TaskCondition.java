package dev.sluice.core.application;

/** What must have happened to a task before another one may start. */
public enum TaskCondition {
    /** It was reported as started, at least once. */
    STARTED("started"),
    /** It ended well. */
    SUCCEEDED("succeeded");

    private final String wireName;

    TaskCondition(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in a file. */
    public String wireName() {
        return wireName;
    }
}
