package dev.sluice.core.application;

/** Why a running task is stopped. */
public enum StopReason {
    /** Its application was cancelled. */
    CANCELLED("cancelled"),
    /** A user stopped this task. */
    STOPPED("stopped"),
    /** It exceeded its timeout. */
    TIMEOUT("timeout"),
    /** Another task of its application failed for good, and the failure policy is {@link FailurePolicy#STOP}. */
    APPLICATION_FAILED("application-failed"),
    /** Preempted for a load class below its entitlement; it will run again. */
    REBALANCE("rebalance"),
    /** It had not started yet, and its node accepts no tasks or cannot start any; it will run elsewhere or later. */
    WITHDRAWN("withdrawn");

    private final String wireName;

    StopReason(String wireName) {
        this.wireName = wireName;
    }

    /** Whether the task runs again, because neither it nor a user caused the stop. */
    public boolean runsAgain() {
        return this == REBALANCE || this == WITHDRAWN;
    }

    /** The name in files and in the API. */
    public String wireName() {
        return wireName;
    }
}
