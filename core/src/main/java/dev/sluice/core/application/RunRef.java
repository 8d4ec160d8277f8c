package dev.sluice.core.application;

/**
 * Identifies one run of a task.
 *
 * @param task the task
 * @param attempt the number of the run among those of the task, from 1; {@link #CURRENT} if it is not known
 */
public record RunRef(TaskRef task, int attempt) {

    /** In a report: the run that is allocated now. In an event of an old journal: a run with an unknown number. */
    public static final int CURRENT = 0;

    /** Throws {@link IllegalArgumentException} if the number is negative. */
    public RunRef {
        if (attempt < CURRENT) {
            throw new IllegalArgumentException("number of a run must not be negative: " + attempt);
        }
    }

    /** Returns a reference to the run of this task that is allocated now. */
    public static RunRef current(TaskRef task) {
        return new RunRef(task, CURRENT);
    }

    @Override
    public int hashCode() {
        return 31 * task.hashCode() + attempt;
    }

    @Override
    public String toString() {
        return task + "#" + attempt;
    }
}
