package dev.sluice.core.state;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * Finds things that are numbered 0, 1, 2 and so on by a hash of theirs, at some eight bytes each; what they are it does not know.
 *
 * <p>Those whose hashes agree in their highest bits are in one chain, which is walked with {@link #first} and {@link #next}. No chain
 * is longer than {@link #CHAIN_MAX}: what would make it longer is not taken in, so that hashes that were made to agree cost no more than
 * that. A chain only becomes shorter when the table grows.
 */
final class IndexTable {

    /** What comes after the last one of a chain. */
    static final int NONE = -1;

    /** The most things in one chain: by chance not one chain in 10^13 would be longer. */
    static final int CHAIN_MAX = 16;

    /** The fractional part of the golden ratio: spreads hashes that are close to each other over the highest bits. */
    private static final int SPREAD = 0x9E3779B9;

    private final IntUnaryOperator hashOf;

    // numbers are kept plus one, so that 0 is none
    private int[] heads = new int[2];
    private int[] nexts = {};
    private int size;

    /** An empty table of things whose hashes can be asked for by their numbers. */
    IndexTable(IntUnaryOperator hashOf) {
        this.hashOf = hashOf;
    }

    /** The first of the things that may have this hash, or {@link #NONE}. */
    int first(int hash) {
        return heads[chain(hash, heads.length)] - 1;
    }

    /** The next one of the same chain, or {@link #NONE}. */
    int next(int number) {
        return nexts[number] - 1;
    }

    /** Takes in the thing with the next number and this hash, unless its chain is full; returns whether it did. */
    boolean add(int hash) {
        int number = size++;
        if (number >= nexts.length) {
            nexts = Arrays.copyOf(nexts, number + number / 4 + 1);
        }
        if (size > heads.length) {
            grow();
        }
        int length = 0;
        for (int other = first(hash); other != NONE; other = next(other)) {
            length++;
        }
        if (length >= CHAIN_MAX) {
            return false;
        }
        link(number, hash, heads);
        return true;
    }

    private void grow() {
        int[] grown = new int[heads.length * 2];
        for (int head : heads) {
            int number = head - 1;
            while (number != NONE) {
                int next = next(number);
                link(number, hashOf.applyAsInt(number), grown);
                number = next;
            }
        }
        heads = grown;
    }

    private void link(int number, int hash, int[] to) {
        int chain = chain(hash, to.length);
        nexts[number] = to[chain];
        to[chain] = number + 1;
    }

    private static int chain(int hash, int chains) {
        return (hash * SPREAD) >>> (Integer.numberOfLeadingZeros(chains) + 1);
    }
}
