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
 * What tasks that wait take of the heap.
 *
 * @param tasks how many, so many thousands
 * @param named what is asked of a task with a name of its own, in bytes
 */
record HeapRow(int rounds, int tasks, Bound named) implements Row {

    @Override
    public String name() {
        return "heap";
    }

    @Override
    public String title() {
        return "Heap of tasks that wait";
    }

    @Override
    public String about() {
        return "What is in use after a full collection with tasks that wait less what is in use without them, before and after the first cycle:"
                + " the larger. The names are those of " + Figures.format(tasks)
                + " tasks of two resources in 1,000 applications, such as task-123456.";
    }

    @Override
    public List<Line> measure() {
        Resources resources = BenchmarkCluster.resources(1);
        Quantiles shared = bytes(cluster -> submitNamed(cluster, true)).times(1.0 / tasks);
        Quantiles own = bytes(cluster -> submitNamed(cluster, false)).times(1.0 / tasks);
        Quantiles counted = bytes(cluster ->
                cluster.submit(ApplicationSpec.open("app", "root.q0", TaskSpec.of("task", tasks, resources))));
        return List.of(
                Line.bounded("a task with a name of its own", "B", shared, named),
                Line.info("the same, if it came with resources of its own, too", "B", own),
                Line.bounded(
                        "one specification with a count of " + Figures.format(tasks) + ", in all",
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
        for (int round = -1; round < rounds; round++) { // the first loads classes
            BenchmarkCluster cluster = new BenchmarkCluster(0, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
            cluster.addNode("full", Resources.parse("vcore", "1m", "memory", "1"), Map.of());
            cluster.cycle(0);
            long without = used();
            submission.accept(cluster);
            long submitted = used();
            cluster.cycle(0);
            long scheduled = used();
            cluster.cycle(0); // whoever is still needed is not collected
            if (round >= 0) {
                bytes[round] = Math.max(submitted, scheduled) - without;
            }
        }
        return Quantiles.of(bytes);
    }

    @SuppressWarnings("SystemGC")
    private static long used() {
        System.gc(); // leaves some of what is dead where moving the rest together does not pay
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
