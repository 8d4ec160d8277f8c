package dev.sluice.benchmarks.rounds;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Alternating measurements of several variants: every round runs each variant once. The default clock is the processor
 * time of the thread, so other programs matter only by their use of caches and memory.
 */
public final class Rounds {

    private final List<Variant> variants;
    private final double[][] nanos;

    private Rounds(List<Variant> variants, int rounds) {
        this.variants = variants;
        this.nanos = new double[variants.size()][rounds];
    }

    /**
     * Measures variants.
     *
     * @param warmup the number of rounds that are discarded
     * @param rounds the number of rounds that count
     */
    public static Rounds measure(List<Variant> variants, int warmup, int rounds) {
        return measure(variants, warmup, rounds, CpuTime::ofThisThread);
    }

    /**
     * Measures variants with another clock.
     *
     * @param warmup the number of rounds that are discarded
     * @param rounds the number of rounds that count
     * @param clock a clock in nanoseconds, such as {@link CpuTime#ofAllThreads}
     */
    public static Rounds measure(List<Variant> variants, int warmup, int rounds, LongSupplier clock) {
        Rounds measured = new Rounds(List.copyOf(variants), rounds);
        for (int round = -warmup; round < rounds; round++) {
            for (int i = 0; i < variants.size(); i++) {
                double nanos = nanosPerOperation(variants.get(i), clock);
                if (round >= 0) {
                    measured.nanos[i][round] = nanos;
                }
            }
        }
        return measured;
    }

    private static double nanosPerOperation(Variant variant, LongSupplier clock) {
        Variant.Work work = variant.setup().get();
        long before = clock.getAsLong();
        long operations = work.run();
        long after = clock.getAsLong();
        if (operations <= 0) {
            throw new IllegalStateException(variant.name() + " performed no operations");
        }
        return (double) (after - before) / operations;
    }

    /** Returns the nanoseconds per operation of this variant. */
    public Quantiles nanos(int variant) {
        return Quantiles.of(nanos[variant]);
    }

    /** Returns the nanoseconds per operation of the slowest round of this variant. */
    public double nanosMax(int variant) {
        return Arrays.stream(nanos[variant]).max().orElseThrow();
    }

    /** Returns the operations per second of this variant. */
    public Quantiles perSecond(int variant) {
        return nanos(variant).inverse().times(1e9);
    }

    /** Returns the variant with the smallest median time per operation; the first of several. */
    public int fastest() {
        int fastest = 0;
        for (int i = 1; i < nanos.length; i++) {
            if (nanos(i).median() < nanos(fastest).median()) {
                fastest = i;
            }
        }
        return fastest;
    }

    /** Returns the time per operation of the second variant divided by that of the first, per round. */
    public Quantiles ratio(int first, int second) {
        double[] ratios = new double[nanos[first].length];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = nanos[second][round] / nanos[first][round];
        }
        return Quantiles.of(ratios);
    }

    /** Returns the measured variants. */
    public List<Variant> variants() {
        return variants;
    }
}
