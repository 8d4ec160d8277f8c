package dev.sluice.core.state;

/** How one run of a task ended. */
public enum TaskOutcome {
    /** It did what it should. */
    SUCCEEDED("succeeded"),
    /** It reported a failure. */
    FAILED("failed"),
    /** It was stopped because it ran longer than it may. */
    TIMED_OUT("timed-out"),
    /** Its node or its runner is gone; nobody knows how it ended. */
    LOST("lost"),
    /** It was stopped. */
    STOPPED("stopped");

    private final String wireName;

    TaskOutcome(String wireName) {
        this.wireName = wireName;
    }

    /** Whether the task itself is to blame, so that running it again takes one of its retries. */
    public boolean isOwnFailure() {
        return this == FAILED || this == TIMED_OUT;
    }

    /** The name used in files and answers. */
    public String wireName() {
        return wireName;
    }
}
