package dev.sluice.core.application;

/** Why a running task is stopped. */
public enum StopReason {
    /** Its application was cancelled. */
    CANCELLED("cancelled"),
    /** Somebody stopped this task. */
    STOPPED("stopped"),
    /** It ran longer than it may. */
    TIMEOUT("timeout"),
    /** Another task of its application failed for good, and the application does not go on without it. */
    APPLICATION_FAILED("application-failed"),
    /** Its place is needed by those who are entitled to it; it will run again. */
    REBALANCE("rebalance"),
    /** It had not been started, and its node takes no tasks or cannot start any; it will run elsewhere or later. */
    WITHDRAWN("withdrawn");

    private final String wireName;

    StopReason(String wireName) {
        this.wireName = wireName;
    }

    /** Whether the task was not to blame and nobody wants it to end: it runs again. */
    public boolean runsAgain() {
        return this == REBALANCE || this == WITHDRAWN;
    }

    /** The name used in files and answers. */
    public String wireName() {
        return wireName;
    }
}
