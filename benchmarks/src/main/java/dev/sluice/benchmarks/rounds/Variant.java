package dev.sluice.benchmarks.rounds;

import java.util.function.Supplier;

/**
 * One of several alternatives that are measured in alternation.
 *
 * @param name its name in tables
 * @param setup prepares one measurement; not measured
 */
public record Variant(String name, Supplier<Work> setup) {

    /** The measured work, run once per preparation. */
    @FunctionalInterface
    public interface Work {
        /** Runs the work and returns the number of operations; results are per operation. */
        long run();
    }
}
