package dev.sluice.core.application;

/** What happens to an application when one of its tasks has failed for good. */
public enum FailurePolicy {
    /** Tasks that do not depend on the failed one continue; the application fails when none is left. */
    CONTINUE("continue"),
    /** Running tasks are stopped and nothing new starts. */
    STOP("stop");

    private final String wireName;

    FailurePolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The name in files. */
    public String wireName() {
        return wireName;
    }
}
