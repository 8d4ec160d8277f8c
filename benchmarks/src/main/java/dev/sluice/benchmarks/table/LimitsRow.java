package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Rounds;
import dev.sluice.benchmarks.rounds.Variant;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.resource.Resources;
import java.util.List;

/** Applications of many users, without limits, within them and at them. */
record LimitsRow(int warmup, int rounds) implements Row {

    private static final int USERS = 10_000;
    private static final int TASKS = 10;
    private static final int NODES = 1000;

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public String title() {
        return "Limits of users";
    }

    @Override
    public String about() {
        return "One cycle places " + TASKS + " tasks of 1 core and 1 GiB of each of " + Figures.format(USERS)
                + " users, with one application each, on " + Figures.format(NODES) + " empty nodes of 100 cores. With"
                + " limits, root and each leaf have one of every user, of cores, memory and applications. In the last"
                + " variant every user is at the limit, tasks of every application wait, and nodes have free capacity.";
    }

    @Override
    public List<Line> measure() {
        Variant without = new Variant("without limits", () -> filling(cluster(0)));
        Variant within = new Variant("within limits", () -> filling(cluster(TASKS)));
        Variant at = new Variant("at limits", () -> {
            BenchmarkCluster cluster = cluster(TASKS / 2);
            cluster.cycle((long) USERS * TASKS / 2);
            return () -> {
                cluster.cycle(0);
                return 1;
            };
        });
        Rounds measured = Rounds.measure(List.of(without, within, at), warmup, rounds);
        return List.of(
                Line.info(without.name(), Line.PLACEMENTS, measured.perSecond(0)),
                Line.info(within.name(), Line.PLACEMENTS, measured.perSecond(1)),
                Line.speed(measured, 1, 0, Bound.atLeast(0.9, 0.95)),
                Line.info(
                        "cycle with " + Figures.format(USERS) + " users at their limits",
                        "ms",
                        measured.nanos(2).times(1e-6)));
    }

    private static Variant.Work filling(BenchmarkCluster cluster) {
        return () -> {
            cluster.cycle((long) USERS * TASKS);
            return USERS * TASKS;
        };
    }

    /** Returns a cluster in which each user may allocate this number of tasks; 0: any number. */
    private static BenchmarkCluster cluster(int limit) {
        BenchmarkCluster cluster = new BenchmarkCluster(NODES, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
        if (limit > 0) {
            cluster.limitUsers(BenchmarkCluster.resources(limit), 1);
        }
        cluster.cycle(0);
        Resources resources = BenchmarkCluster.resources(1);
        for (int i = 0; i < USERS; i++) {
            cluster.submit(
                    ApplicationSpec.sealed("app-" + i, BenchmarkCluster.queue(i), TaskSpec.of("t", TASKS, resources))
                            .withUser("user-" + i));
        }
        return cluster;
    }
}
