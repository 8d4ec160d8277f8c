package dev.sluice.core.state;

import java.util.Arrays;

/** Hands out small numbers; one that was given back is the first to be handed out again. */
final class Indexes {

    private int[] free = new int[8];
    private int freeCount;
    private int next;

    int take() {
        return freeCount > 0 ? free[--freeCount] : next++;
    }

    void giveBack(int index) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = index;
    }

    /** One more than the largest number ever handed out. */
    int bound() {
        return next;
    }
}
