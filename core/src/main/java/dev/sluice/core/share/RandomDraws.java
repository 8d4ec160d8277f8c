package dev.sluice.core.share;

/**
 * Random numbers as a pure function of seed, partition, queue, number of placements and index within the sequence.
 *
 * <p>So the only state of the generator is that of the scheduler, and a replay draws the same numbers. The five inputs
 * are mixed by the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
 * 2014).
 */
final class RandomDraws {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long owner;
    private long key;
    private long drawn;

    /** Creates the draws of a queue: two partitions or two queues never draw the same sequence. */
    RandomDraws(String partition, String path) {
        this.owner = hash(path, hash(partition, 0));
    }

    /**
     * Returns a 64-bit hash; {@link String#hashCode} collides too easily, for example for {@code Aa} and {@code BB}.
     */
    private static long hash(String text, long seed) {
        long hash = mix(seed + GOLDEN * text.length());
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash + GOLDEN * text.charAt(i));
        }
        return hash;
    }

    /** Starts a sequence. */
    void begin(long seed) {
        key = mix(mix(seed) + GOLDEN * owner);
        drawn = 0;
    }

    /** Returns the next number, from 0 (inclusive) to 1 (exclusive). */
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
