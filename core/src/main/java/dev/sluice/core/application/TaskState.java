package dev.sluice.core.application;

/** Where a task is in its life. */
public enum TaskState {
    /** It waits for other tasks of its application. */
    WAITING("waiting"),
    /** It waits for a place. */
    PENDING("pending"),
    /** It was given a place that others are preempting; it starts when they have left. */
    RESERVED("reserved"),
    /** It was given a place and was not reported as started yet. */
    STARTING("starting"),
    /** It runs. */
    RUNNING("running"),
    /** It was told to stop and still holds its place. */
    STOPPING("stopping"),
    /** It was told to make way: its place is others' already, and it will be pending again when it has ended. */
    PREEMPTING("preempting"),
    /** It ended well. */
    SUCCEEDED("succeeded"),
    /** It ended badly and will not run again. */
    FAILED("failed"),
    /** It was stopped, or can never run because what it waits for did not succeed. */
    STOPPED("stopped");

    private final String wireName;

    TaskState(String wireName) {
        this.wireName = wireName;
    }

    /** Whether the task is over. */
    public boolean isEnded() {
        return this == SUCCEEDED || this == FAILED || this == STOPPED;
    }

    /** Whether the task has been given to a node and has not ended there. */
    public boolean isBound() {
        return this == RESERVED || this == STARTING || this == RUNNING || this == STOPPING || this == PREEMPTING;
    }

    /** The name used in files and answers. */
    public String wireName() {
        return wireName;
    }
}
