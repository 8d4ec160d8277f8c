package dev.sluice.core.reference;

import java.util.function.LongSupplier;

/**
 * The random numbers of one parent in one cycle: a function of (seed, partition, path, total placements, index), mixed
 * by SplitMix64.
 */
final class ReferenceDraws {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long row;
    private final LongSupplier placements;
    private final Runnable drawing;
    private long drawn;

    ReferenceDraws(long seed, String partition, String path, LongSupplier placements, Runnable drawing) {
        this.row = mix(mix(seed) + GOLDEN * hash(path, hash(partition, 0)));
        this.placements = placements;
        this.drawing = drawing;
    }

    private static long hash(String text, long seed) {
        long hash = mix(seed + GOLDEN * text.length());
        for (int i = 0; i < text.length(); i++) {
            hash = mix(hash + GOLDEN * text.charAt(i));
        }
        return hash;
    }

    double next() {
        drawing.run();
        drawn++;
        long bits = mix(mix(row + GOLDEN * placements.getAsLong()) + GOLDEN * drawn);
        return (bits >>> 11) / 9007199254740992.0;
    }

    private static long mix(long value) {
        long once = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        long twice = (once ^ (once >>> 27)) * 0x94D049BB133111EBL;
        return twice ^ (twice >>> 31);
    }
}
