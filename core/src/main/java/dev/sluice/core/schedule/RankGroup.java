package dev.sluice.core.schedule;

import java.util.function.IntPredicate;

/** The nodes of one rank in a tree of their own, so that searches for them do not visit the nodes before them. */
final class RankGroup {

    final long rank;

    /** The bit by which nodes say that they belong to it. */
    final int bit;

    private final NodeRanks ranks;
    private final CapacityTree tree;

    /** Creates the group of the nodes of this rank, with an empty tree for them. */
    RankGroup(NodeRanks ranks, long rank, int bit, CapacityTree tree) {
        this.bit = bit;
        this.ranks = ranks;
        this.rank = rank;
        this.tree = tree;
    }

    /** Called when it is not kept up to date any more. */
    void forget() {
        ranks.group = null;
    }

    /** Returns whether no pending task needs the group any more. */
    boolean isObsolete() {
        return ranks.uses == 0;
    }

    /** Inserts or updates a node of the group. */
    void put(int number, double key, long[] capacity) {
        tree.put(number, key, capacity);
    }

    /** Returns the first of its nodes that fits, as {@link CapacityTree#first} does. */
    int first(long[] demand, long mask, IntPredicate eligible) {
        return tree.first(demand, mask, eligible);
    }
}
