package dev.sluice.core.schedule;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Numbered entries in the order of (key, number), each with the room it has; tells the first one with room for something.
 *
 * <p>It is a B-tree whose entries stand in its leaves. With each block an inner block keeps the most room of any entry below it, type by
 * type, so a block without room is passed over as a whole. A change of room climbs only as far as it changes what is the most there.
 * A block is split when it is full and goes when it is empty; blocks are never joined, as entries move about but rarely get fewer
 * (Johnson and Shasha, "B-trees with inserts and deletes: why free-at-empty is better than merge-at-half", 1993).
 *
 * <p>A <em>room</em> is an array with an amount for each type, a mask of labels and, last, the amounts that {@link Ties} compares.
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

    /** The most entries of a block: few enough to look through, so many that a tree of 100,000 entries has four levels. */
    private static final int CAPACITY = 16;

    private final int width;
    private final int types;
    private final @Nullable Ties ties;
    private final @Nullable Block[] leafOf;
    private final long[] noCapacity;
    private Block root;

    /** While searching: the type that there was too little of where there was no room last. */
    private int scarce;

    // while putting: the entry whose place is looked for, and between which keys its own does not decide
    private int probe;
    private double probeKeyMin;
    private double probeKeyMax;
    private long[] probeCapacity = {};

    /**
     * A part of the order: entries if it is a leaf, else blocks, each with a key and number that are not after its entries and not before
     * those of the block in front of it. (Entries may have gone before those of the very first block: nothing is in front of it.)
     */
    private static final class Block {
        private final double[] keys = new double[CAPACITY];
        private final int[] numbers = new int[CAPACITY];
        private final long[] rooms; // all amounts of a type together: that of a place is at type * CAPACITY + place
        private final @Nullable Block[] below;
        private @Nullable Block above;
        private int position;
        private int size;

        private Block(int width, boolean leaf) {
            rooms = new long[width * CAPACITY];
            below = new Block[leaf ? 0 : CAPACITY];
        }

        private boolean isLeaf() {
            return below.length == 0;
        }

        private Block below(int index) {
            Block block = below[index];
            if (block == null) {
                throw new IllegalStateException("a block of " + size + " has none at " + index);
            }
            return block;
        }
    }

    /** A tree for entries with numbers from 0, none of which is in it yet, and rooms of so many types. */
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

    /** Puts an entry in its place, or in another one if it is in the tree already. */
    void put(int number, double key, long[] room) {
        probe = number;
        probeCapacity = room;
        double error = ties == null ? 0 : Math.abs(key) * Utilisation.ERROR + Utilisation.TINY;
        probeKeyMin = key - error;
        probeKeyMax = key + error;
        Block leaf = leafOf[number];
        if (leaf == null) {
            insert(number, key, room);
            return;
        }
        int index = indexOf(leaf, number);
        if (covers(leaf)) {
            int target = targetInLeaf(leaf, index);
            if (target == index) {
                leaf.keys[index] = key;
                changeCapacity(leaf, index, room);
                writeTies(leaf, index, room);
            } else {
                moveInLeaf(leaf, index, target, key, number, room);
            }
        } else {
            remove(leaf, index);
            insert(number, key, room);
        }
    }

    /** Whether the block or entry at this place is not after the entry whose place is looked for. */
    private boolean reaches(Block block, int index) {
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
                        number, block.rooms, (types + 1) * CAPACITY + index, CAPACITY, probe, probeCapacity, types + 1);
        return order < 0 || (order == 0 && number <= probe);
    }

    /** The last of a block's blocks or entries that is not after the entry whose place is looked for; the first one if all are after it. */
    private int lastReaching(Block block) {
        int last = 0;
        while (last + 1 < block.size && reaches(block, last + 1)) {
            last++;
        }
        return last;
    }

    private void writeTies(Block leaf, int index, long[] room) {
        for (int column = types + 1; column < width; column++) {
            leaf.rooms[column * CAPACITY + index] = room[column];
        }
    }

    /** The first entry with room for this demand, labels for this mask, and the consent of the check; or {@link #NONE}. */
    int first(long[] demand, long mask, IntPredicate check) {
        scarce = demand.length - 1;
        return first(root, demand, mask, check);
    }

    private int first(Block block, long[] demand, long mask, IntPredicate check) {
        for (int i = 0; i < block.size; i++) {
            if (demand[scarce] <= block.rooms[scarce * CAPACITY + i] && mayFit(block.rooms, i, demand, mask)) {
                if (!block.isLeaf()) {
                    int found = first(block.below(i), demand, mask, check);
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

    /** Whether there is room at this place; takes note of what there is too little of, since that is likely to be so at the next one. */
    private boolean mayFit(long[] rooms, int place, long[] demand, long mask) {
        for (int type = demand.length - 1; type >= 0; type--) {
            if (demand[type] > rooms[type * CAPACITY + place]) {
                scarce = type;
                return false;
            }
        }
        return (rooms[types * CAPACITY + place] & mask) == mask;
    }

    private static int indexOf(Block leaf, int number) {
        int index = 0;
        while (leaf.numbers[index] != number) {
            index++;
        }
        return index;
    }

    /** Whether the entry whose place is looked for belongs into this leaf, as far as the blocks above tell. */
    private boolean covers(Block leaf) {
        Block block = leaf;
        while (block.above != null && block.position == 0) {
            block = block.above;
        }
        if (block.above != null && !reaches(block.above, block.position)) {
            return false;
        }
        block = leaf;
        while (block.above != null && block.position == block.above.size - 1) {
            block = block.above;
        }
        return block.above == null || !reaches(block.above, block.position + 1);
    }

    /** Where the entry whose place is looked for, and which is at this place, belongs now. */
    private int targetInLeaf(Block leaf, int index) {
        int target = index;
        while (target > 0 && !reaches(leaf, target - 1)) {
            target--;
        }
        while (target < leaf.size - 1 && reaches(leaf, target + 1)) {
            target++;
        }
        return target;
    }

    private void moveInLeaf(Block leaf, int from, int to, double key, int number, long[] room) {
        changeCapacity(leaf, from, room);
        if (to < from) {
            shift(leaf, to, to + 1, from - to);
        } else {
            shift(leaf, from + 1, from, to - from);
        }
        leaf.keys[to] = key;
        leaf.numbers[to] = number;
        for (int type = 0; type < width; type++) {
            leaf.rooms[type * CAPACITY + to] = room[type];
        }
    }

    /** Moves some blocks or entries within their block. */
    private void shift(Block block, int from, int to, int count) {
        copy(block, from, block, to, count);
        if (!block.isLeaf()) {
            System.arraycopy(block.below, from, block.below, to, count);
            for (int i = to; i < to + count; i++) {
                block.below(i).position = i;
            }
        }
    }

    /** Copies keys, numbers and rooms. */
    private void copy(Block block, int from, Block target, int to, int count) {
        System.arraycopy(block.keys, from, target.keys, to, count);
        System.arraycopy(block.numbers, from, target.numbers, to, count);
        for (int column = 0; column < width * CAPACITY; column += CAPACITY) {
            System.arraycopy(block.rooms, column + from, target.rooms, column + to, count);
        }
    }

    /** Changes the room of an entry, and above it what is the most, as far as that changes. */
    private void changeCapacity(Block leaf, int index, long[] room) {
        for (int type = 0; type < types; type++) {
            changeAmount(leaf, index, type * CAPACITY, room[type]);
        }
        changeLabels(leaf, index, room[types]);
    }

    private static void changeAmount(Block leaf, int index, int column, long amount) {
        Block block = leaf;
        int place = index;
        long now = amount;
        long before = block.rooms[column + place];
        while (now != before) {
            block.rooms[column + place] = now;
            Block above = block.above;
            if (above == null) {
                return;
            }
            long most = above.rooms[column + block.position];
            if (now < most) {
                now = before < most ? most : most(block, column);
            }
            before = most;
            place = block.position;
            block = above;
        }
    }

    private static long most(Block block, int column) {
        long most = 0;
        for (int i = column; i < column + block.size; i++) {
            most = Math.max(most, block.rooms[i]);
        }
        return most;
    }

    private void changeLabels(Block leaf, int index, long labels) {
        Block block = leaf;
        int place = index;
        long now = labels;
        int column = types * CAPACITY;
        while (block != null && block.rooms[column + place] != now) {
            block.rooms[column + place] = now;
            now = labels(block);
            place = block.position;
            block = block.above;
        }
    }

    private long labels(Block block) {
        long labels = 0;
        for (int i = types * CAPACITY; i < types * CAPACITY + block.size; i++) {
            labels |= block.rooms[i];
        }
        return labels;
    }

    /** Writes what is the most in a block, and its labels, where the block above keeps them. */
    private void summarise(Block block, Block above) {
        for (int type = 0; type < types; type++) {
            above.rooms[type * CAPACITY + block.position] = most(block, type * CAPACITY);
        }
        above.rooms[types * CAPACITY + block.position] = labels(block);
    }

    private void insert(int number, double key, long[] room) {
        Block block = root;
        while (!block.isLeaf()) {
            block = block.below(lastReaching(block));
        }
        if (block.size == CAPACITY) {
            Block later = split(block);
            block = reaches(later, 0) ? later : block;
        }
        int index = block.size == 0 || !reaches(block, 0) ? 0 : lastReaching(block) + 1;
        shift(block, index, index + 1, block.size - index);
        for (int column = 0; column < width * CAPACITY; column += CAPACITY) {
            block.rooms[column + index] = 0;
        }
        block.keys[index] = key;
        block.numbers[index] = number;
        block.size++;
        leafOf[number] = block;
        changeCapacity(block, index, room);
        writeTies(block, index, room);
    }

    /** Makes two of a full block and returns the later one. */
    private Block split(Block block) {
        Block above = blockAbove(block);
        if (above.size == CAPACITY) {
            split(above);
            above = blockAbove(block);
        }
        Block later = new Block(width, block.isLeaf());
        int kept = CAPACITY / 2;
        for (int i = kept; i < CAPACITY; i++) {
            if (block.isLeaf()) {
                leafOf[block.numbers[i]] = later;
            } else {
                Block child = block.below(i);
                later.below[i - kept] = child;
                child.above = later;
                child.position = i - kept;
                block.below[i] = null;
            }
        }
        copy(block, kept, later, 0, CAPACITY - kept);
        block.size = kept;
        later.size = CAPACITY - kept;
        shift(above, block.position + 1, block.position + 2, above.size - block.position - 1);
        adopt(above, block.position + 1, later);
        summarise(block, above);
        return later;
    }

    /** The block above this one, made if it is the root. */
    private Block blockAbove(Block block) {
        if (block.above == null) {
            root = new Block(width, false);
            adopt(root, 0, block);
            return root;
        }
        return block.above;
    }

    /** Puts a block below another one at a place that is free for it. */
    private void adopt(Block above, int position, Block block) {
        above.below[position] = block;
        above.size++;
        block.above = above;
        block.position = position;
        above.keys[position] = block.keys[0];
        above.numbers[position] = block.numbers[0];
        for (int column = types + 1; column < width; column++) {
            above.rooms[column * CAPACITY + position] = block.rooms[column * CAPACITY];
        }
        summarise(block, above);
    }

    private void remove(Block leaf, int index) {
        changeCapacity(leaf, index, noCapacity);
        Block block = leaf;
        int gone = index;
        leafOf[leaf.numbers[index]] = null;
        while (block.size == 1 && block.above != null) {
            gone = block.position;
            block = block.above;
        }
        shift(block, gone + 1, gone, block.size - gone - 1);
        block.size--;
        if (!block.isLeaf()) {
            block.below[block.size] = null;
        }
        while (root.size == 1 && !root.isLeaf()) {
            root = root.below(0);
            root.above = null;
            root.position = 0;
        }
    }
}
