package dev.sluice.core.rank;

import java.util.Arrays;

/** Priorities with how often each occurs; tells the highest. There are few different ones, so they stand in a sorted array. */
public final class PriorityCounts {

    private long[] priorities = new long[2];
    private int[] counts = new int[2];
    private int size;

    /** Whether none is counted. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The highest; only when there is one. */
    public long highest() {
        return priorities[size - 1];
    }

    /** Counts a priority once more. */
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

    /** Counts a priority once less; it must have been counted. */
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
