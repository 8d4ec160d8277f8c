package dev.sluice.core.state;

/**
 * A task identified by its group and its index there.
 *
 * @param group the group of the task
 * @param index the index in the group, from 0
 */
public record TaskPosition(TaskGroup group, int index) {

    /** Returns the number after the dash of a task id, or -1 if it is not written as {@code taskId} writes it. */
    static int parseIndex(String digits) {
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
}
