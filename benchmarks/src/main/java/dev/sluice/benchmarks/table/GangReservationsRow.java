package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.CpuTime;
import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import java.util.List;

/** Cycles over a full cluster of tasks with known durations, in which nodes are reserved for gangs that wait. */
record GangReservationsRow(int warmup, int rounds, int nodes, int gangs) implements Row {

    @Override
    public String name() {
        return "gang-reservations";
    }

    @Override
    public String title() {
        return "Reservations for gangs in a full cluster";
    }

    @Override
    public String about() {
        return "The cluster of gangs, where runs are expected to take up to an hour and take 50 to 110 % of that,"
                + " and nodes are reserved for ten gangs at a time. After the cycle that follows the end of a task, a single"
                + " task is submitted for its core. A gang that starts is replaced by another one.";
    }

    @Override
    public List<Line> measure() {
        ReservingGangsCluster cluster = new ReservingGangsCluster(nodes, gangs);
        long before = CpuTime.ofThisThread();
        cluster.cycle();
        double first = CpuTime.ofThisThread() - before;
        Variant after = new Variant("cycle after the end of a task", () -> {
            cluster.endOne();
            return cluster::cycle;
        });
        Rounds measured = Rounds.measure(List.of(after), warmup, rounds);
        return List.of(
                Line.bounded("first cycle", "ms", Quantiles.of(first).times(1e-6), Bound.below(5000, 1000)),
                Line.bounded(after.name(), "ms", measured.nanos(0).times(1e-6), Bound.below(50, 20)),
                Line.bounded(
                        "slowest " + after.name(),
                        "ms",
                        Quantiles.of(measured.nanosMax(0)).times(1e-6),
                        Bound.below(200, 50)));
    }
}
