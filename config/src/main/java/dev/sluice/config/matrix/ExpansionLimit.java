package dev.sluice.config.matrix;

import dev.sluice.config.yaml.YamlLimits;

/**
 * The limit of what all matrices of a document may make: about as much as a file of the maximum size with all tasks
 * written one by one.
 */
public final class ExpansionLimit {

    /** The characters that a task counts for, beside those of the texts with inserted values. */
    private static final int TASK_CHARACTERS = 128;

    /** The maximum number of tasks that the matrices of a document make. */
    public static final int TASKS_MAX = YamlLimits.FILE_BYTES_MAX / TASK_CHARACTERS;

    /** The characters that a dependency on each task of a matrix counts for. */
    private static final int DEPENDENCY_CHARACTERS = 64;

    private long remaining = YamlLimits.FILE_BYTES_MAX;

    /** Counts a task with this number of new characters; returns false if that is beyond the limit. */
    boolean addTask(long characters) {
        remaining -= TASK_CHARACTERS + characters;
        return remaining >= 0;
    }

    /** Counts dependencies on tasks of a matrix; returns false if they are beyond the limit. */
    public boolean addDependencies(int count) {
        remaining -= (long) DEPENDENCY_CHARACTERS * count;
        return remaining >= 0;
    }
}
