package dev.sluice.simulator.workload.synthetic;

/**
 * A stream of pseudorandom numbers, which depends only on a seed and a name and is the same on every machine.
 *
 * <p>The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
 * 2014). Each name has a separate stream, so that draws from one do not affect the others.
 */
final class RandomStream {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    RandomStream(long seed, String name) {
        long start = mix(seed);
        for (int i = 0; i < name.length(); i++) {
            start = mix(start + GOLDEN + name.charAt(i));
        }
        state = start;
    }

    private static long mix(long value) {
        long bits = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return bits ^ (bits >>> 31);
    }

    /** Returns the next uniform number in [0, 1). */
    double next() {
        state += GOLDEN;
        return (mix(state) >>> 11) * 0x1.0p-53;
    }

    /** Returns the next exponential number with mean 1. */
    double nextExponential() {
        return -StrictMath.log(1 - next());
    }

    /** Returns the next normal number with mean 0 and standard deviation 1 (Box and Muller, 1958). */
    double nextNormal() {
        double radius = Math.sqrt(2 * nextExponential());
        return radius * StrictMath.cos(2 * StrictMath.PI * next());
    }
}
