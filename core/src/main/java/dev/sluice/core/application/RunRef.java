package dev.sluice.core.application;

/**
 * Identifies one run of a task.
 *
 * @param task the task
 * @param attempt the number of the run among those of the task, from 1
 */
public record RunRef(TaskRef task, int attempt) {

    /** The attempt of a run of which only the task is known, as in old journals. */
    public static final int UNKNOWN = 0;

    /** Throws {@link IllegalArgumentException} if the attempt is negative. */
    public RunRef {
        if (attempt < UNKNOWN) {
            throw new IllegalArgumentException("number of a run must not be negative: " + attempt);
        }
    }

    @Override
    public String toString() {
        return task + "#" + attempt;
    }
}
