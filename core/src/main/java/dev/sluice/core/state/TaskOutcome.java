package dev.sluice.core.state;

/** How one run of a task ended. */
public enum TaskOutcome {
    SUCCEEDED("succeeded"),
    FAILED("failed"),
    /** It was stopped because it exceeded its timeout. */
    TIMED_OUT("timed-out"),
    /** Its node or its runner disappeared; its actual result is unknown. */
    LOST("lost"),
    STOPPED("stopped");

    private final String wireName;

    TaskOutcome(String wireName) {
        this.wireName = wireName;
    }

    /** Returns whether the task itself caused the failure, so that another run takes one of its retries. */
    public boolean isOwnFailure() {
        return this == FAILED || this == TIMED_OUT;
    }

    /** Returns the name used in files and API responses. */
    public String wireName() {
        return wireName;
    }
}
