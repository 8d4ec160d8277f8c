package dev.sluice.core.rank;

import java.util.Arrays;

/**
 * A multiset of priorities that returns the highest one. There are few distinct priorities, so it is a sorted array
 * with counts.
 */
public final class PriorityCounts {

    private long[] priorities = new long[2];
    private int[] counts = new int[2];
    private int size;

    /** Creates empty counts. */
    public PriorityCounts() {}

    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns the highest priority. Must not be called on an empty multiset. */
    public long highest() {
        return priorities[size - 1];
    }

    public void add(long priority) {
        int found = Arrays.binarySearch(priorities, 0, size, priority);
        if (found >= 0) {
            counts[found]++;
            return;
        }
        int position = -found - 1;
        if (size == priorities.length) {
            priorities = Arrays.copyOf(priorities, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
        }
        System.arraycopy(priorities, position, priorities, position + 1, size - position);
        System.arraycopy(counts, position, counts, position + 1, size - position);
        priorities[position] = priority;
        counts[position] = 1;
        size++;
    }

    /**
     * Removes one occurrence of a priority.
     *
     * @throws IllegalStateException if the priority does not occur
     */
    public void remove(long priority) {
        int position = Arrays.binarySearch(priorities, 0, size, priority);
        if (position < 0) {
            throw new IllegalStateException("priority " + priority + " is not counted");
        }
        counts[position]--;
        if (counts[position] == 0) {
            System.arraycopy(priorities, position + 1, priorities, position, size - position - 1);
            System.arraycopy(counts, position + 1, counts, position, size - position - 1);
            size--;
        }
    }
}
