package dev.sluice.core.state;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Allocates small numbers. The number returned last is reused first. */
final class IndexAllocator {

    private int[] free = new int[8];
    private int freeCount;
    private int next;

    int allocate() {
        return freeCount > 0 ? free[--freeCount] : next++;
    }

    void free(int index) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = index;
    }

    /** Writes which numbers are allocated next. */
    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(freeCount);
        for (int i = 0; i < freeCount; i++) {
            out.sink().number(free[i]);
        }
    }

    /**
     * Restores what {@link #writeTo} wrote.
     *
     * @param taken the allocated numbers; together with the returned ones, each number below the bound must occur
     *     exactly once
     */
    void readFrom(PartitionCheckpointReader in, IntStream taken) {
        freeCount = 0;
        for (int left = in.count(); left > 0; left--) {
            free(in.count());
        }
        int[] all = IntStream.concat(taken, Arrays.stream(free, 0, freeCount)).toArray();
        Arrays.sort(all);
        for (int i = 0; i < all.length; i++) {
            if (all[i] != i) {
                throw PartitionCheckpointReader.corrupt("found index " + all[i] + " instead of " + i);
            }
        }
        next = all.length;
    }

    /** Returns an exclusive upper bound of the numbers ever allocated. */
    int bound() {
        return next;
    }
}
