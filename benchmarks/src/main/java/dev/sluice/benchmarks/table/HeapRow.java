package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.resource.Resources;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The heap used by pending tasks.
 *
 * @param tasks the number of tasks, a multiple of 1,000
 * @param named the limit per individually named task, in bytes
 */
record HeapRow(int rounds, int tasks, Bound named) implements Row {

    @Override
    public String name() {
        return "heap";
    }

    @Override
    public String title() {
        return "Heap used by pending tasks";
    }

    @Override
    public String about() {
        return "Heap in use after a full collection with pending tasks, minus that without them; the larger of the"
                + " values before and after the first cycle. Names of " + Figures.format(tasks)
                + " tasks with two resources in 1,000 applications, such as task-123456.";
    }

    @Override
    public List<Line> measure() {
        Resources resources = BenchmarkCluster.resources(1);
        Quantiles shared = bytes(cluster -> submitNamed(cluster, true)).times(1.0 / tasks);
        Quantiles own = bytes(cluster -> submitNamed(cluster, false)).times(1.0 / tasks);
        Quantiles counted = bytes(cluster ->
                cluster.submit(ApplicationSpec.open("app", "root.q0", TaskSpec.of("task", tasks, resources))));
        return List.of(
                Line.bounded("individually named task", "B", shared, named),
                Line.info("same, with individual resources", "B", own),
                Line.bounded(
                        "one task group of " + Figures.format(tasks) + " tasks, in total",
                        "MB",
                        counted.times(1e-6),
                        Bound.below(1, 1)));
    }

    private void submitNamed(BenchmarkCluster cluster, boolean shareResources) {
        Resources resources = BenchmarkCluster.resources(1);
        int task = 0;
        for (int i = 0; i < BenchmarkCluster.APPLICATIONS; i++) {
            List<TaskSpec> specs = new ArrayList<>();
            for (int j = 0; j < tasks / BenchmarkCluster.APPLICATIONS; j++) {
                specs.add(
                        TaskSpec.single("task-" + task++, shareResources ? resources : BenchmarkCluster.resources(1)));
            }
            cluster.submit(
                    ApplicationSpec.open("app-" + i, BenchmarkCluster.queue(i)).withTasks(specs));
        }
    }

    private Quantiles bytes(Consumer<BenchmarkCluster> submission) {
        double[] bytes = new double[rounds];
        for (int round = -1; round < rounds; round++) { // the first round loads classes
            BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            cluster.addNode("full", Resources.parse("vcore", "1m", "memory", "1"), Map.of());
            cluster.cycle(0);
            long without = used();
            submission.accept(cluster);
            long submitted = used();
            cluster.cycle(0);
            long scheduled = used();
            cluster.cycle(0); // keeps the objects reachable until here
            if (round >= 0) {
                bytes[round] = Math.max(submitted, scheduled) - without;
            }
        }
        return Quantiles.of(bytes);
    }

    @SuppressWarnings("SystemGC")
    private static long used() {
        System.gc(); // a single collection may leave dead objects where compaction does not pay
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
