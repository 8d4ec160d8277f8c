package dev.sluice.runtime.journal;

/** How a run ended, for counts of tasks and failures. */
public enum RunEnd {
    /** It has not ended yet. */
    NONE(0),
    /** It ended without a failure, and the task is pending again. */
    AGAIN(1),
    /** It failed, timed out or was lost, and the task is pending again. */
    FAILED_AGAIN(2),
    /** The task succeeded. */
    SUCCEEDED(3),
    /** The task failed, timed out or was lost. */
    FAILED(4),
    /** The task was stopped. */
    STOPPED(5);

    private static final RunEnd[] VALUES = values();

    private final int code;

    RunEnd(int code) {
        this.code = code;
    }

    /** Returns the number that stores contain; never changes. */
    public int code() {
        return code;
    }

    /** Returns the end with this code; throws {@link IllegalArgumentException} if there is none. */
    public static RunEnd of(int code) {
        for (RunEnd end : VALUES) {
            if (end.code == code) {
                return end;
            }
        }
        throw new IllegalArgumentException("unknown end of a run: " + code);
    }

    /** Returns whether the run failed, timed out or was lost. */
    public boolean isFailure() {
        return this == FAILED || this == FAILED_AGAIN;
    }

    /** Returns whether the task will not run again. */
    public boolean isFinal() {
        return this == SUCCEEDED || this == FAILED || this == STOPPED;
    }
}
