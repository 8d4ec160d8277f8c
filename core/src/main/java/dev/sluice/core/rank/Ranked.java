package dev.sluice.core.rank;

/** An element that can be in one {@link RankedHeap} at a time and stores its position there. */
public abstract class Ranked {

    /** The index in the heap array, or -1 if it is in no heap. */
    int rankPosition = -1;

    protected Ranked() {}
}
