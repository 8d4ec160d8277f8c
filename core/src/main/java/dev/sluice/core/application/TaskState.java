package dev.sluice.core.application;

/** The states of a task. */
public enum TaskState {
    /** Waits for the tasks that it depends on, the start of its application or the end of its retry delay. */
    WAITING("waiting"),
    /** Waits for an allocation. */
    PENDING("pending"),
    /** Reserved on a node; starts when the victims preempted for it have ended. */
    RESERVED("reserved"),
    /** Allocated, not reported as started yet. */
    STARTING("starting"),
    /** Running. */
    RUNNING("running"),
    /** Starting or running, but suspended: its processes are halted, and it keeps its resources. */
    SUSPENDED("suspended"),
    /** Told to stop, still allocated. */
    STOPPING("stopping"),
    /**
     * Preempted: its resources are already reserved for its beneficiary, and it is pending again when it has ended.
     */
    PREEMPTING("preempting"),
    /** Ended successfully. */
    SUCCEEDED("succeeded"),
    /** Ended with a failure and will not run again. */
    FAILED("failed"),
    /** Stopped, or can never run because a task that it depends on did not succeed. */
    STOPPED("stopped");

    private final String wireName;

    TaskState(String wireName) {
        this.wireName = wireName;
    }

    public boolean isEnded() {
        return this == SUCCEEDED || this == FAILED || this == STOPPED;
    }

    /** Whether the task has a node and has not ended there. */
    public boolean isBound() {
        return this != WAITING && this != PENDING && !isEnded();
    }

    /** The name in files and in the API. */
    public String wireName() {
        return wireName;
    }
}
