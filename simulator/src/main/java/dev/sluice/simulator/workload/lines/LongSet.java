package dev.sluice.simulator.workload.lines;

/**
 * A set of numbers. Dense numbers, such as job numbers, take one bit each; an isolated number takes 16 to 32 bytes.
 *
 * <p>A hash table with open addressing: the key is the number without its last six bits, the value has a bit for each
 * of the 64 numbers.
 */
public final class LongSet {

    private static final int CAPACITY_MIN = 64;
    private static final long MIXER = 0x9E3779B97F4A7C15L;
    private static final int BITS = 6;

    private long[] keys = new long[CAPACITY_MIN];
    private long[] bits = new long[CAPACITY_MIN];
    private int size;

    /** Adds this number; false if it was present. */
    public boolean add(long number) {
        int slot = slot(number >>> BITS);
        long bit = 1L << number;
        if ((bits[slot] & bit) != 0) {
            return false;
        }
        if (bits[slot] == 0) {
            if (size * 2 >= keys.length) {
                grow();
                slot = slot(number >>> BITS);
            }
            keys[slot] = number >>> BITS;
            size++;
        }
        bits[slot] |= bit;
        return true;
    }

    /** Returns the slot of this key, or the empty slot where it belongs; a slot without bits is empty. */
    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = (int) ((key * MIXER) >>> 32) & mask;
        while (bits[slot] != 0 && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldBits = bits;
        keys = new long[oldKeys.length * 2];
        bits = new long[oldBits.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldBits[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                bits[slot] = oldBits[i];
            }
        }
    }
}
