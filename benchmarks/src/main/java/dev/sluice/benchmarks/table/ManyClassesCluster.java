package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.util.Map;

/**
 * A cluster of 1,000 nodes that is full, with tasks that wait and of which each application's have another shape. One core of it is
 * taken by {@link #SMALL} small tasks, all of which together make no room for any that waits as long as one of them is left.
 */
final class ManyClassesCluster {

    /** How many small tasks there are; as many ends are there to be had, but the last. */
    static final int SMALL = 1000;

    private static final int NODES = 1000;
    private static final long GIB = 1L << 30;

    private final BenchmarkCluster cluster =
            new BenchmarkCluster(NODES, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
    private int ended;

    /** A full cluster in which so many thousands of tasks wait. */
    ManyClassesCluster(int waiting) {
        Resources small = Resources.of(Map.of("vcore", new Amount(1), "memory", new Amount(GIB / SMALL)));
        cluster.submit(ApplicationSpec.sealed("small", BenchmarkCluster.queue(0), TaskSpec.of("t", SMALL, small)));
        cluster.cycle(SMALL);
        cluster.submit(ApplicationSpec.sealed(
                "large",
                BenchmarkCluster.queue(1),
                TaskSpec.of("t", NODES * BenchmarkCluster.CORES - 1, BenchmarkCluster.resources(1))));
        cluster.cycle(NODES * BenchmarkCluster.CORES - 1);
        for (int i = 0; i < BenchmarkCluster.APPLICATIONS; i++) {
            Resources shape = Resources.of(Map.of("vcore", new Amount(1000), "memory", new Amount(GIB + i)));
            TaskSpec tasks = TaskSpec.of("t", waiting / BenchmarkCluster.APPLICATIONS, shape);
            cluster.submit(ApplicationSpec.sealed("waiting-" + i, BenchmarkCluster.queue(i), tasks));
        }
        cluster.cycle(0);
    }

    /** Ends one small task. */
    void endSmall() {
        if (ended == SMALL - 1) {
            throw new IllegalStateException("no small task is left that may end");
        }
        cluster.handle(new Command.ReportTaskSucceeded(BenchmarkCluster.PARTITION, "small", "t-" + ended++, 1));
    }

    /** Makes a cycle, which must place nothing, and counts as one operation. */
    long cycle() {
        cluster.cycle(0);
        return 1;
    }
}
