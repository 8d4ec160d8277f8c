package dev.sluice.config.matrix;

import dev.sluice.config.yaml.YamlLimits;

/**
 * The limit of what all matrices of a document may make: about as much as a file of the maximum size with all tasks
 * written one by one. What tasks share counts for each of them, since a journal stores it with each. Once the limit is
 * exceeded, no matrix of the document makes more tasks.
 */
public final class ExpansionLimit {

    /** The characters that a task counts for, beside its values and the texts with inserted values. */
    private static final int TASK_CHARACTERS = 128;

    /** The maximum number of tasks that the matrices of a document make. */
    public static final int TASKS_MAX = YamlLimits.FILE_BYTES_MAX / TASK_CHARACTERS;

    /** The characters that an entry of a map or an item of a list counts for, and a value of a range. */
    static final int VALUE_CHARACTERS = 16;

    /** The characters that a dependency on a task counts for. */
    static final int DEPENDENCY_CHARACTERS = 64;

    private long remaining = YamlLimits.FILE_BYTES_MAX;

    /** Counts a task with this number of characters, or an excluded one; returns whether the limit holds. */
    boolean addTask(long characters) {
        return add(TASK_CHARACTERS + characters);
    }

    /** Counts the values of a range; returns whether the limit holds. */
    boolean addValues(long count) {
        return add(VALUE_CHARACTERS * count);
    }

    /** Counts dependencies on tasks of a matrix; returns whether the limit holds. */
    public boolean addDependencies(int count) {
        return add((long) DEPENDENCY_CHARACTERS * count);
    }

    private boolean add(long characters) {
        remaining -= characters;
        return !isExceeded();
    }

    /** Returns whether more was counted than allowed. */
    public boolean isExceeded() {
        return remaining < 0;
    }
}
