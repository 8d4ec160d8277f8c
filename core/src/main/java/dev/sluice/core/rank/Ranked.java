package dev.sluice.core.rank;

/** Something that can be in one {@link RankedHeap} at a time; it remembers where. */
public abstract class Ranked {

    /** Where it is in its heap, or -1 if it is in none. */
    int rankPosition = -1;
}
