package dev.sluice.core.application;

/** What must have happened to a task before a dependent task may start. */
public enum TaskCondition {
    /** It was reported as started at least once. */
    STARTED("started"),
    /** It ended successfully. */
    SUCCEEDED("succeeded");

    private final String wireName;

    TaskCondition(String wireName) {
        this.wireName = wireName;
    }

    /** The name in files. */
    public String wireName() {
        return wireName;
    }
}
