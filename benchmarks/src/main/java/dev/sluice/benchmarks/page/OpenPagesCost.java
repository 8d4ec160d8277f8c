package dev.sluice.benchmarks.page;

import dev.sluice.benchmarks.rounds.Quantiles;
import java.util.List;

/** What open pages cost the scheduler: rounds with and without them, alternating. */
record OpenPagesCost(int pages, int rate, double secondsPerRound, List<Round> rounds) {

    /**
     * One variant of a round.
     *
     * @param placed tasks placed per second
     * @param scheduler the share of the time in which the scheduler's thread used a processor
     * @param process the number of processors that the server used
     * @param updates updates of each page per second
     */
    record Measured(double placed, double scheduler, double process, double updates) {}

    record Round(Measured without, Measured with) {

        /** Returns by which share the maximum rate falls: the part of the thread's time that pages use. */
        double loss() {
            return (with.scheduler() - without.scheduler()) / (1 - without.scheduler());
        }
    }

    Quantiles placedRatio() {
        return Quantiles.of(rounds.stream()
                .mapToDouble(round -> round.with().placed() / round.without().placed())
                .toArray());
    }

    Quantiles loss() {
        return Quantiles.of(rounds.stream().mapToDouble(Round::loss).toArray());
    }

    Quantiles of(java.util.function.ToDoubleFunction<Round> figure) {
        return Quantiles.of(rounds.stream().mapToDouble(figure).toArray());
    }
}
