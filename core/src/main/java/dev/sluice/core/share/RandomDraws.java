package dev.sluice.core.share;

/**
 * Random numbers that depend on nothing but a seed, a partition and a queue, how much has happened so far, and which of a row it is.
 *
 * <p>So a generator needs no state beside that of the scheduler, and a replay draws the same. A number is these five, mixed by
 * the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
 */
final class RandomDraws {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long owner;
    private long key;
    private long drawn;

    /** Numbers of the queue of this path in this partition: no two partitions draw alike, nor two queues. */
    RandomDraws(String partition, String path) {
        this.owner = hash(path, hash(partition, 0));
    }

    /** A hash of 64 bits: those of {@link String#hashCode} agree too easily, {@code Aa} has the same as {@code BB}. */
    private static long hash(String text, long seed) {
        long hash = mix(seed + GOLDEN * text.length());
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash + GOLDEN * text.charAt(i));
        }
        return hash;
    }

    /** Begins a row of numbers. */
    void begin(long seed) {
        key = mix(mix(seed) + GOLDEN * owner);
        drawn = 0;
    }

    /** The next number of the row, from 0 up to but without 1, after so much has happened. */
    double next(long happened) {
        drawn++;
        long bits = mix(mix(key + GOLDEN * happened) + GOLDEN * drawn);
        return (bits >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long bits = value;
        bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return bits ^ (bits >>> 31);
    }
}
