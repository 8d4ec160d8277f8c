package dev.sluice.core.application;

/**
 * Identifies a task.
 *
 * @param partition the name of the partition
 * @param application the id of the application
 * @param task the name of the task's specification, unique in the application
 * @param index the index among the tasks of that specification, from 0; {@link #SINGLE} if it specifies one task
 */
public record TaskRef(String partition, String application, String task, int index) {

    /** The index of the only task of a specification, whose id is the name itself. */
    public static final int SINGLE = -1;

    /** Throws {@link IllegalArgumentException} if the index is negative and not {@link #SINGLE}. */
    public TaskRef {
        if (index < SINGLE) {
            throw new IllegalArgumentException("index of a task must not be negative: " + index);
        }
    }

    /** Returns its position among the tasks of its specification, from 0. */
    public int position() {
        return Math.max(index, 0);
    }

    /** Returns its id, unique in the application: {@code t-3}, or {@code t} if it is single. */
    public String id() {
        return index == SINGLE ? task : task + "-" + index;
    }
    /** Returns the index after the dash of an id, or -1 if {@link #id} does not write it so. */
    public static int parseIndex(String digits) {
        if (digits.isEmpty() || digits.length() > 9 || (digits.length() > 1 && digits.charAt(0) == '0')) {
            return -1;
        }
        int index = 0;
        for (int i = 0; i < digits.length(); i++) {
            char digit = digits.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            index = index * 10 + digit - '0';
        }
        return index;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * application.hashCode() + task.hashCode()) + index;
    }

    @Override
    public String toString() {
        return partition + "/" + application + "/" + id();
    }
}
