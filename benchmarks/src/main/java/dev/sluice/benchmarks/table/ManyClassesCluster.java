package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.util.Map;

/**
 * A full cluster of 1,000 nodes whose pending tasks form one equivalence class per application. One core is used by
 * {@link #SMALL} small tasks; no pending task fits unless all of them have ended.
 */
final class ManyClassesCluster {

    /** The number of small tasks; all but the last may end. */
    static final int SMALL = 1000;

    private static final int NODES = 1000;
    private static final long GIB = 1L << 30;

    private final BenchmarkCluster cluster =
            new BenchmarkCluster(NODES, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
    private int ended;

    /** Creates a full cluster with this many pending tasks, a multiple of 1,000. */
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
            Resources demand = Resources.of(Map.of("vcore", new Amount(1000), "memory", new Amount(GIB + i)));
            TaskSpec tasks = TaskSpec.of("t", waiting / BenchmarkCluster.APPLICATIONS, demand);
            cluster.submit(ApplicationSpec.sealed("pending-" + i, BenchmarkCluster.queue(i), tasks));
        }
        cluster.cycle(0);
    }

    void endSmall() {
        if (ended == SMALL - 1) {
            throw new IllegalStateException("the last small task must not end");
        }
        cluster.handle(new Command.ReportTaskSucceeded(
                RunRef.current(new TaskRef(BenchmarkCluster.PARTITION, "small", "t", ended++))));
    }

    /** Runs a cycle, which must place nothing; returns 1, the number of operations. */
    long cycle() {
        cluster.cycle(0);
        return 1;
    }
}
