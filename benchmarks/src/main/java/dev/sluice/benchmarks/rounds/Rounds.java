package dev.sluice.benchmarks.rounds;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * Contenders measured in turns: in every round each of them once. Time is what the thread had of the processor, so that other
 * programs count only for what they take from caches and memory.
 */
public final class Rounds {

    private final List<Variant> variants;
    private final double[][] nanos;

    private Rounds(List<Variant> variants, int rounds) {
        this.variants = variants;
        this.nanos = new double[variants.size()][rounds];
    }

    /**
     * Measures.
     *
     * @param warmup how many rounds come first that are not told
     * @param rounds how many rounds are told
     */
    public static Rounds measure(List<Variant> variants, int warmup, int rounds) {
        return measure(variants, warmup, rounds, CpuTime::ofThisThread);
    }

    /**
     * Measures by another clock.
     *
     * @param warmup how many rounds come first that are not told
     * @param rounds how many rounds are told
     * @param clock nanoseconds, such as {@link CpuTime#ofAllThreads}
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
            throw new IllegalStateException(variant.name() + " has done nothing");
        }
        return (double) (after - before) / operations;
    }

    /** The nanoseconds of one operation of this contender. */
    public Quantiles nanos(int variant) {
        return Quantiles.of(nanos[variant]);
    }

    /** How many operations of this contender one second has room for. */
    public Quantiles perSecond(int variant) {
        return nanos(variant).inverse().times(1e9);
    }

    /** The contender whose operations take the shortest, by their medians; of several the first. */
    public int fastest() {
        int fastest = 0;
        for (int i = 1; i < nanos.length; i++) {
            if (nanos(i).median() < nanos(fastest).median()) {
                fastest = i;
            }
        }
        return fastest;
    }

    /** How many operations of the first contender go into the time of one of the second, round by round. */
    public Quantiles ratio(int first, int second) {
        double[] ratios = new double[nanos[first].length];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = nanos[second][round] / nanos[first][round];
        }
        return Quantiles.of(ratios);
    }

    /** What was measured. */
    public List<Variant> variants() {
        return variants;
    }
}
