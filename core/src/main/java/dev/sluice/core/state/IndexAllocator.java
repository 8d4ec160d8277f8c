package dev.sluice.core.state;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Hands out small numbers; one that was given back is the first to be handed out again. */
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

    /** Writes which numbers come next. */
    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(freeCount);
        for (int i = 0; i < freeCount; i++) {
            out.sink().number(free[i]);
        }
    }

    /**
     * Goes on where those went on that were written.
     *
     * @param taken the numbers that are handed out; with those that were given back they are all below the bound, each once
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
                throw PartitionCheckpointReader.corrupt("an index is " + all[i] + " and should be " + i);
            }
        }
        next = all.length;
    }

    /** One more than the largest number ever handed out. */
    int bound() {
        return next;
    }
}
