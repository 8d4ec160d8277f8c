package dev.sluice.core.application;

/** What becomes of an application when one of its tasks has failed for good. */
public enum FailurePolicy {
    /** Tasks that do not wait for the failed one go on; the application fails when none is left. */
    CONTINUE("continue"),
    /** Everything that runs is stopped and nothing more is started. */
    STOP("stop");

    private final String wireName;

    FailurePolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in a file. */
    public String wireName() {
        return wireName;
    }
}
