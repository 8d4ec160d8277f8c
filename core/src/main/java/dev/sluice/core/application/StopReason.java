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
    /** Preempted for a queue below its guaranteed resources; it will run again. */
    GUARANTEE("guarantee"),
    /** Preempted for a task of higher priority in the same queue; it will run again. */
    PRIORITY("priority"),
    /** It had not started yet, and its node accepts no tasks or cannot start any; it will run elsewhere or later. */
    WITHDRAWN("withdrawn"),
    /** Its node has a taint {@link TaintEffect#NO_EXECUTE} that it does not tolerate; it will run elsewhere. */
    TAINT("taint"),
    /** Preempted because its queue uses more than its maximum, which was lowered; it will run again. */
    QUOTA("quota"),
    /** Another member of its gang ended and runs again; the gang starts again as a whole. */
    GANG("gang");

    private final String wireName;

    StopReason(String wireName) {
        this.wireName = wireName;
    }

    /** Whether the task runs again, because neither it nor a user caused the stop. */
    public boolean runsAgain() {
        return isPreemption() || this == WITHDRAWN || this == TAINT || this == GANG;
    }

    /** Whether it releases its capacity at once, so that another task can be reserved in its place. */
    public boolean isPreemption() {
        return this == REBALANCE || this == GUARANTEE || this == PRIORITY || this == QUOTA;
    }

    /** The name in files and in the API. */
    public String wireName() {
        return wireName;
    }
}
