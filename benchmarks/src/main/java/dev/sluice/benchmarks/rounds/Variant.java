package dev.sluice.benchmarks.rounds;

import java.util.function.Supplier;

/**
 * Something that is measured in turns with others.
 *
 * @param name what tables call it
 * @param setup makes everything ready for one measurement, and is not measured itself
 */
public record Variant(String name, Supplier<Work> setup) {

    /** What is measured, once for each preparation. */
    @FunctionalInterface
    public interface Work {
        /** Does it, and returns how many operations that were: what is told is the time of one. */
        long run();
    }
}
