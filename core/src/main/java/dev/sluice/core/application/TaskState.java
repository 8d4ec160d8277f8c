package dev.sluice.core.application;

/** Where a task is in its life. */
public enum TaskState {
    /** It waits for other tasks of its application. */
    WAITING("waiting"),
    /** It waits for a place. */
    PENDING("pending"),
    /** It was given a place and was not reported as started yet. */
    STARTING("starting"),
    /** It runs. */
    RUNNING("running"),
    /** It was told to stop and still holds its place. */
    STOPPING("stopping"),
    /** It ended well. */
    SUCCEEDED("succeeded"),
    /** It ended badly and will not run again. */
    FAILED("failed"),
    /** It was stopped, or can never run because what it waits for did not succeed. */
    STOPPED("stopped");

    private final String word;

    TaskState(String word) {
        this.word = word;
    }

    /** Whether the task is over. */
    public boolean isEnded() {
        return this == SUCCEEDED || this == FAILED || this == STOPPED;
    }

    /** The word that stands for it in files and answers. */
    public String word() {
        return word;
    }
}
