package dev.sluice.core.schedule;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A B-tree of numbered entries in the order of (key, number) that finds the first entry with enough capacity.
 *
 * <p>The entries are in the leaf blocks. For each child, an inner block stores the maximum capacity of the entries
 * below it, type by type, so a search skips a block without enough capacity as a whole. A change of capacity moves up
 * only as far as it changes a maximum. Updates and searches take logarithmic time, unless the maxima of several types
 * come from different entries and mislead a search.
 *
 * <p>A full block is split. An empty block is removed, but blocks are never merged, because entries move often and
 * rarely become fewer (Johnson and Shasha, "B-trees with inserts and deletes: why free-at-empty is better than
 * merge-at-half", 1993).
 *
 * <p>A <em>capacity</em> is an array: an amount for each type, then a mask of conditions met, then the amounts that
 * {@link Ties} compares.
 *
 * <p>Keys are approximate doubles. {@link Ties} decides between keys that are closer than their error.
 */
final class CapacityTree {

    /** No entry. */
    static final int NONE = -1;

    /** Compares entries exactly when their keys are too close. */
    interface Ties {

        /**
         * Compares two entries; returns 0 if their numbers decide. The amounts of the first are
         * {@code amounts[at + i * step]}, those of the other {@code otherAmounts[otherAt + i]}.
         */
        int compare(int number, long[] amounts, int at, int step, int otherNumber, long[] otherAmounts, int otherAt);
    }

    /**
     * The maximum size of a block: small enough for a linear scan, large enough that a tree of 100,000 entries has four
     * levels.
     */
    private static final int BLOCK_SIZE = 16;

    private final int width;
    private final int types;
    private final @Nullable Ties ties;
    private final @Nullable Block[] leafOf;
    private final long[] noCapacity;
    private Block root;

    /** During a search: the type that was insufficient most recently. It is compared first. */
    private int scarce;

    // during a put, the probe is the entry to insert or move; keys in this range do not decide its position
    private int probe;
    private double probeKeyMin;
    private double probeKeyMax;
    private long[] probeCapacity = {};

    /**
     * A block: a leaf with entries, or an inner block with children. The key and number of a child are not after its
     * entries and not before the entries of the preceding child. (The very first block may contain entries before its
     * own key, because no block precedes it.)
     */
    private static final class Block {
        private final double[] keys = new double[BLOCK_SIZE];
        private final int[] numbers = new int[BLOCK_SIZE];
        private final long[] capacities; // an amount is at type * BLOCK_SIZE + index
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
                throw new IllegalStateException("a block of size " + size + " has no child at " + index);
            }
            return block;
        }
    }

    /** Creates an empty tree for entries numbered from 0 to {@code entries - 1} with this number of resource types. */
    CapacityTree(int entries, int types) {
        this(entries, types, 0, null);
    }

    /** Creates an empty tree whose ties are decided by {@code tieAmounts} amounts of each entry. */
    CapacityTree(int entries, int types, int tieAmounts, @Nullable Ties ties) {
        this.types = types;
        this.ties = ties;
        this.width = types + 1 + tieAmounts;
        this.leafOf = new Block[entries];
        this.noCapacity = new long[width];
        this.root = new Block(width, true);
    }

    /** Inserts an entry, or updates and moves it if it is already in the tree. */
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

    /** Returns whether the child or entry at this index is not after the probe. */
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
                        number,
                        block.capacities,
                        (types + 1) * BLOCK_SIZE + index,
                        BLOCK_SIZE,
                        probe,
                        probeCapacity,
                        types + 1);
        return order < 0 || (order == 0 && number <= probe);
    }

    /** Returns the index of the last child or entry that is not after the probe; 0 if all are after it. */
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

    /**
     * Returns the first entry that has at least this demand and all bits of the mask and passes the check, or
     * {@link #NONE}.
     */
    int first(long[] demand, long mask, IntPredicate check) {
        scarce = demand.length - 1;
        return first(root, demand, mask, check);
    }

    private int first(Block block, long[] demand, long mask, IntPredicate check) {
        for (int i = 0; i < block.size; i++) {
            if (demand[scarce] <= block.capacities[scarce * BLOCK_SIZE + i]
                    && mayFit(block.capacities, i, demand, mask)) {
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

    /**
     * Returns whether the capacity at this index suffices. Otherwise stores the insufficient type, which is likely to
     * be insufficient at the next index, too.
     */
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

    /** Returns whether the probe belongs in this leaf, judging by the keys of the blocks above. */
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

    /** Returns the index at which the probe belongs, given its current index. */
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

    /** Moves children or entries within a block. */
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

    /** Changes the capacity of an entry and updates the maxima above as far as they change. */
    private void changeCapacity(Block leaf, int index, long[] capacity) {
        for (int type = 0; type < types; type++) {
            changeAmount(leaf, index, type * BLOCK_SIZE, capacity[type]);
        }
        changeMask(leaf, index, capacity[types]);
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

    private void changeMask(Block leaf, int index, long mask) {
        Block block = leaf;
        int position = index;
        long now = mask;
        int column = types * BLOCK_SIZE;
        while (block != null && block.capacities[column + position] != now) {
            block.capacities[column + position] = now;
            now = maskOfAny(block);
            position = block.position;
            block = block.parent;
        }
    }

    /** Returns the bits of the conditions that at least one entry or child meets. */
    private long maskOfAny(Block block) {
        long mask = 0;
        for (int i = types * BLOCK_SIZE; i < types * BLOCK_SIZE + block.size; i++) {
            mask |= block.capacities[i];
        }
        return mask;
    }

    /** Writes the maxima and the mask of a block into its parent. */
    private void writeSummary(Block block, Block parent) {
        for (int type = 0; type < types; type++) {
            parent.capacities[type * BLOCK_SIZE + block.position] = maxOf(block, type * BLOCK_SIZE);
        }
        parent.capacities[types * BLOCK_SIZE + block.position] = maskOfAny(block);
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

    /** Splits a full block into two and returns the right one. */
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

    /** Returns the parent of this block; creates a new root if the block is the root. */
    private Block parentOf(Block block) {
        if (block.parent == null) {
            root = new Block(width, false);
            adopt(root, 0, block);
            return root;
        }
        return block.parent;
    }

    /** Adds a child to a block at a free position. */
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
