package dev.sluice.core.schedule;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Numbered entries in the order of (key, number), each with the capacity it has; tells the first one with capacity for something.
 *
 * <p>It is a B-tree whose entries stand in its leaves. With each block an inner block keeps the max capacity of any entry children it, type by
 * type, so a block without capacity is passed over as a whole. A change of capacity climbs only as far as it changes what is the max there.
 * A block is split when it is full and goes when it is empty; blocks are never joined, as entries move about but rarely get fewer
 * (Johnson and Shasha, "B-trees with inserts and deletes: why free-at-empty is better than merge-at-half", 1993).
 *
 * <p>A <em>capacity</em> is an array with an amount for each type, a mask of labels and, last, the amounts that {@link Ties} compares.
 *
 * <p>Keys are doubles and may be off by a little. Where two of them are so close that they do not decide, {@link Ties} does.
 */
final class CapacityTree {

    /** No entry. */
    static final int NONE = -1;

    /** Compares entries exactly whose keys are too close to decide. */
    interface Ties {

        /**
         * Which of two entries comes first; 0 if their numbers decide. The amounts of the first are {@code amounts[at + i * step]}, those of the
         * other {@code otherAmounts[otherAt + i]}.
         */
        int compare(int number, long[] amounts, int at, int step, int otherNumber, long[] otherAmounts, int otherAt);
    }

    /** The max entries of a block: few enough to look through, so many that a tree of 100,000 entries has four levels. */
    private static final int BLOCK_SIZE = 16;

    private final int width;
    private final int types;
    private final @Nullable Ties ties;
    private final @Nullable Block[] leafOf;
    private final long[] noCapacity;
    private Block root;

    /** While searching: the type that there was too little of where there was no capacity last. */
    private int scarce;

    // while putting: the entry whose position is looked for, and between which keys its own does not decide
    private int probe;
    private double probeKeyMin;
    private double probeKeyMax;
    private long[] probeCapacity = {};

    /**
     * A part of the order: entries if it is a leaf, else blocks, each with a key and number that are not after its entries and not before
     * those of the block in front of it. (Entries may have removed before those of the very first block: nothing is in front of it.)
     */
    private static final class Block {
        private final double[] keys = new double[BLOCK_SIZE];
        private final int[] numbers = new int[BLOCK_SIZE];
        private final long[] capacities; // all amounts of a type together: that of a position is at type * BLOCK_SIZE + position
        private final @Nullable Block[] children;
        private @Nullable Block parent;
        private int position;
        private int size;

        private Block(int width, boolean leaf) {
            capacities = new long[width * BLOCK_SIZE];
            children = new Block[leaf ? 0 : BLOCK_SIZE];
        }

        private boolean isLeaf() {
            return children.length == 0;
        }

        private Block child(int index) {
            Block block = children[index];
            if (block == null) {
                throw new IllegalStateException("a block of " + size + " has none at " + index);
            }
            return block;
        }
    }

    /** A tree for entries with numbers from 0, none of which is in it yet, and capacities of so many types. */
    CapacityTree(int entries, int types) {
        this(entries, types, 0, null);
    }

    /** The same for entries of which so many amounts are compared where keys do not decide. */
    CapacityTree(int entries, int types, int tieAmounts, @Nullable Ties ties) {
        this.types = types;
        this.ties = ties;
        this.width = types + 1 + tieAmounts;
        this.leafOf = new Block[entries];
        this.noCapacity = new long[width];
        this.root = new Block(width, true);
    }

    /** Puts an entry in its position, or in another one if it is in the tree already. */
    void put(int number, double key, long[] capacity) {
        probe = number;
        probeCapacity = capacity;
        double error = ties == null ? 0 : Math.abs(key) * Utilisation.ERROR + Utilisation.TINY;
        probeKeyMin = key - error;
        probeKeyMax = key + error;
        Block leaf = leafOf[number];
        if (leaf == null) {
            insert(number, key, capacity);
            return;
        }
        int index = indexOf(leaf, number);
        if (probeBelongsIn(leaf)) {
            int target = targetInLeaf(leaf, index);
            if (target == index) {
                leaf.keys[index] = key;
                changeCapacity(leaf, index, capacity);
                writeTies(leaf, index, capacity);
            } else {
                moveInLeaf(leaf, index, target, key, number, capacity);
            }
        } else {
            remove(leaf, index);
            insert(number, key, capacity);
        }
    }

    /** Whether the block or entry at this position is not after the entry whose position is looked for. */
    private boolean isNotAfterProbe(Block block, int index) {
        double key = block.keys[index];
        if (key < probeKeyMin) {
            return true;
        }
        if (key > probeKeyMax) {
            return false;
        }
        int number = block.numbers[index];
        int order = ties == null
                ? 0
                : ties.compare(
                        number, block.capacities, (types + 1) * BLOCK_SIZE + index, BLOCK_SIZE, probe, probeCapacity, types + 1);
        return order < 0 || (order == 0 && number <= probe);
    }

    /** The last of a block's blocks or entries that is not after the entry whose position is looked for; the first one if all are after it. */
    private int lastNotAfterProbe(Block block) {
        int last = 0;
        while (last + 1 < block.size && isNotAfterProbe(block, last + 1)) {
            last++;
        }
        return last;
    }

    private void writeTies(Block leaf, int index, long[] capacity) {
        for (int column = types + 1; column < width; column++) {
            leaf.capacities[column * BLOCK_SIZE + index] = capacity[column];
        }
    }

    /** The first entry with capacity for this demand, labels for this mask, and the consent of the check; or {@link #NONE}. */
    int first(long[] demand, long mask, IntPredicate check) {
        scarce = demand.length - 1;
        return first(root, demand, mask, check);
    }

    private int first(Block block, long[] demand, long mask, IntPredicate check) {
        for (int i = 0; i < block.size; i++) {
            if (demand[scarce] <= block.capacities[scarce * BLOCK_SIZE + i] && mayFit(block.capacities, i, demand, mask)) {
                if (!block.isLeaf()) {
                    int found = first(block.child(i), demand, mask, check);
                    if (found != NONE) {
                        return found;
                    }
                } else if (check.test(block.numbers[i])) {
                    return block.numbers[i];
                }
            }
        }
        return NONE;
    }

    /** Whether there is capacity at this position; takes note of what there is too little of, since that is likely to be so at the next one. */
    private boolean mayFit(long[] capacities, int position, long[] demand, long mask) {
        for (int type = demand.length - 1; type >= 0; type--) {
            if (demand[type] > capacities[type * BLOCK_SIZE + position]) {
                scarce = type;
                return false;
            }
        }
        return (capacities[types * BLOCK_SIZE + position] & mask) == mask;
    }

    private static int indexOf(Block leaf, int number) {
        int index = 0;
        while (leaf.numbers[index] != number) {
            index++;
        }
        return index;
    }

    /** Whether the entry whose position is looked for belongs into this leaf, as far as the blocks parent tell. */
    private boolean probeBelongsIn(Block leaf) {
        Block block = leaf;
        while (block.parent != null && block.position == 0) {
            block = block.parent;
        }
        if (block.parent != null && !isNotAfterProbe(block.parent, block.position)) {
            return false;
        }
        block = leaf;
        while (block.parent != null && block.position == block.parent.size - 1) {
            block = block.parent;
        }
        return block.parent == null || !isNotAfterProbe(block.parent, block.position + 1);
    }

    /** Where the entry whose position is looked for, and which is at this position, belongs now. */
    private int targetInLeaf(Block leaf, int index) {
        int target = index;
        while (target > 0 && !isNotAfterProbe(leaf, target - 1)) {
            target--;
        }
        while (target < leaf.size - 1 && isNotAfterProbe(leaf, target + 1)) {
            target++;
        }
        return target;
    }

    private void moveInLeaf(Block leaf, int from, int to, double key, int number, long[] capacity) {
        changeCapacity(leaf, from, capacity);
        if (to < from) {
            shift(leaf, to, to + 1, from - to);
        } else {
            shift(leaf, from + 1, from, to - from);
        }
        leaf.keys[to] = key;
        leaf.numbers[to] = number;
        for (int type = 0; type < width; type++) {
            leaf.capacities[type * BLOCK_SIZE + to] = capacity[type];
        }
    }

    /** Moves some blocks or entries within their block. */
    private void shift(Block block, int from, int to, int count) {
        copy(block, from, block, to, count);
        if (!block.isLeaf()) {
            System.arraycopy(block.children, from, block.children, to, count);
            for (int i = to; i < to + count; i++) {
                block.child(i).position = i;
            }
        }
    }

    /** Copies keys, numbers and capacities. */
    private void copy(Block block, int from, Block target, int to, int count) {
        System.arraycopy(block.keys, from, target.keys, to, count);
        System.arraycopy(block.numbers, from, target.numbers, to, count);
        for (int column = 0; column < width * BLOCK_SIZE; column += BLOCK_SIZE) {
            System.arraycopy(block.capacities, column + from, target.capacities, column + to, count);
        }
    }

    /** Changes the capacity of an entry, and parent it what is the max, as far as that changes. */
    private void changeCapacity(Block leaf, int index, long[] capacity) {
        for (int type = 0; type < types; type++) {
            changeAmount(leaf, index, type * BLOCK_SIZE, capacity[type]);
        }
        changeLabels(leaf, index, capacity[types]);
    }

    private static void changeAmount(Block leaf, int index, int column, long amount) {
        Block block = leaf;
        int position = index;
        long now = amount;
        long before = block.capacities[column + position];
        while (now != before) {
            block.capacities[column + position] = now;
            Block parent = block.parent;
            if (parent == null) {
                return;
            }
            long max = parent.capacities[column + block.position];
            if (now < max) {
                now = before < max ? max : maxOf(block, column);
            }
            before = max;
            position = block.position;
            block = parent;
        }
    }

    private static long maxOf(Block block, int column) {
        long max = 0;
        for (int i = column; i < column + block.size; i++) {
            max = Math.max(max, block.capacities[i]);
        }
        return max;
    }

    private void changeLabels(Block leaf, int index, long labels) {
        Block block = leaf;
        int position = index;
        long now = labels;
        int column = types * BLOCK_SIZE;
        while (block != null && block.capacities[column + position] != now) {
            block.capacities[column + position] = now;
            now = labels(block);
            position = block.position;
            block = block.parent;
        }
    }

    private long labels(Block block) {
        long labels = 0;
        for (int i = types * BLOCK_SIZE; i < types * BLOCK_SIZE + block.size; i++) {
            labels |= block.capacities[i];
        }
        return labels;
    }

    /** Writes what is the max in a block, and its labels, where the block parent keeps them. */
    private void writeSummary(Block block, Block parent) {
        for (int type = 0; type < types; type++) {
            parent.capacities[type * BLOCK_SIZE + block.position] = maxOf(block, type * BLOCK_SIZE);
        }
        parent.capacities[types * BLOCK_SIZE + block.position] = labels(block);
    }

    private void insert(int number, double key, long[] capacity) {
        Block block = root;
        while (!block.isLeaf()) {
            block = block.child(lastNotAfterProbe(block));
        }
        if (block.size == BLOCK_SIZE) {
            Block right = split(block);
            block = isNotAfterProbe(right, 0) ? right : block;
        }
        int index = block.size == 0 || !isNotAfterProbe(block, 0) ? 0 : lastNotAfterProbe(block) + 1;
        shift(block, index, index + 1, block.size - index);
        for (int column = 0; column < width * BLOCK_SIZE; column += BLOCK_SIZE) {
            block.capacities[column + index] = 0;
        }
        block.keys[index] = key;
        block.numbers[index] = number;
        block.size++;
        leafOf[number] = block;
        changeCapacity(block, index, capacity);
        writeTies(block, index, capacity);
    }

    /** Makes two of a full block and returns the right one. */
    private Block split(Block block) {
        Block parent = parentOf(block);
        if (parent.size == BLOCK_SIZE) {
            split(parent);
            parent = parentOf(block);
        }
        Block right = new Block(width, block.isLeaf());
        int half = BLOCK_SIZE / 2;
        for (int i = half; i < BLOCK_SIZE; i++) {
            if (block.isLeaf()) {
                leafOf[block.numbers[i]] = right;
            } else {
                Block child = block.child(i);
                right.children[i - half] = child;
                child.parent = right;
                child.position = i - half;
                block.children[i] = null;
            }
        }
        copy(block, half, right, 0, BLOCK_SIZE - half);
        block.size = half;
        right.size = BLOCK_SIZE - half;
        shift(parent, block.position + 1, block.position + 2, parent.size - block.position - 1);
        adopt(parent, block.position + 1, right);
        writeSummary(block, parent);
        return right;
    }

    /** The block parent this one, made if it is the root. */
    private Block parentOf(Block block) {
        if (block.parent == null) {
            root = new Block(width, false);
            adopt(root, 0, block);
            return root;
        }
        return block.parent;
    }

    /** Puts a block children another one at a position that is free for it. */
    private void adopt(Block parent, int position, Block block) {
        parent.children[position] = block;
        parent.size++;
        block.parent = parent;
        block.position = position;
        parent.keys[position] = block.keys[0];
        parent.numbers[position] = block.numbers[0];
        for (int column = types + 1; column < width; column++) {
            parent.capacities[column * BLOCK_SIZE + position] = block.capacities[column * BLOCK_SIZE];
        }
        writeSummary(block, parent);
    }

    private void remove(Block leaf, int index) {
        changeCapacity(leaf, index, noCapacity);
        Block block = leaf;
        int removed = index;
        leafOf[leaf.numbers[index]] = null;
        while (block.size == 1 && block.parent != null) {
            removed = block.position;
            block = block.parent;
        }
        shift(block, removed + 1, removed, block.size - removed - 1);
        block.size--;
        if (!block.isLeaf()) {
            block.children[block.size] = null;
        }
        while (root.size == 1 && !root.isLeaf()) {
            root = root.child(0);
            root.parent = null;
            root.position = 0;
        }
    }
}
