package dev.sluice.core.state;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/**
 * A hash table that maps hashes to numbers 0, 1, 2 and so on, with about eight bytes for each. It stores neither keys
 * nor hashes.
 *
 * <p>Numbers whose hashes agree in their highest bits are in one chain, which {@link #first} and {@link #next} iterate
 * over. A chain has at most {@link #CHAIN_MAX} elements: {@link #add} refuses more, which bounds the cost of crafted
 * hash collisions. Chains only become shorter when the table grows.
 */
final class IndexTable {

    /** The end of a chain. */
    static final int NONE = -1;

    /** The maximum length of a chain. With random hashes, fewer than one chain in 10^13 would be longer. */
    static final int CHAIN_MAX = 16;

    /** The fractional part of the golden ratio: spreads similar hashes over the highest bits (Fibonacci hashing). */
    private static final int SPREAD = 0x9E3779B9;

    private final IntUnaryOperator hashOf;

    // numbers plus one; 0 is none
    private int[] heads = new int[2];
    private int[] nexts = {};
    private int size;

    /**
     * Creates an empty table.
     *
     * @param hashOf returns the hash of a number
     */
    IndexTable(IntUnaryOperator hashOf) {
        this.hashOf = hashOf;
    }

    /** Returns the first number that may have this hash, or {@link #NONE}. */
    int first(int hash) {
        return heads[chain(hash, heads.length)] - 1;
    }

    /** Returns the next number of the same chain, or {@link #NONE}. */
    int next(int number) {
        return nexts[number] - 1;
    }

    /** Adds the next number with this hash; returns false, and adds nothing, if its chain is full. */
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
