package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.TransformedWorkload;
import dev.sluice.simulator.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Reference runs to compare configurations with. They use the same engine with a single queue, on the same workload
 * with priorities that encode the bound, or on nodes with unlimited capacity. See
 * {@link dev.sluice.simulator.figures.Definition#SHORTEST_FIRST} and the constants after it.
 */
final class Bounds {

    /**
     * Durations within this factor are equal for the oracle, which reduces 200,000 distinct durations to some hundred
     * priorities.
     */
    private static final double EQUAL_FACTOR = 1.05;

    /** The number of distinct random priorities. */
    private static final int RANDOM_PRIORITIES = 1_000;

    /** The maximum total capacity of one resource in the bound of infinite nodes: half of what the engine supports. */
    private static final long SUM_MAX = 1L << 60;

    private static final long SCALE_MAX = 1_000_000;

    private Bounds() {}

    /** Returns partitions with these names and a single queue each. */
    static List<PartitionConfiguration> oneQueue(List<PartitionConfiguration> like) {
        return like.stream()
                .map(partition -> PartitionConfiguration.of(
                        partition.name(), QueueConfiguration.parent("root", QueueConfiguration.leaf("default"))))
                .toList();
    }

    /** Returns the same workload with higher priorities for shorter tasks. */
    static Workload shortestFirst(Workload workload) {
        return new TransformedWorkload(workload, () -> arrival -> prioritised(arrival, Bounds::priorityOf));
    }

    private static int priorityOf(Duration duration) {
        return -(int) Math.round(StrictMath.log1p((double) duration.toMillis()) / StrictMath.log(EQUAL_FACTOR));
    }

    /** Returns the same workload with random priorities. */
    static Workload randomOrder(Workload workload, long seed) {
        Supplier<UnaryOperator<Arrival>> change = () -> {
            SplittableRandom random = new SplittableRandom(seed);
            return arrival -> {
                int priority = random.nextInt(RANDOM_PRIORITIES);
                return prioritised(arrival, duration -> priority);
            };
        };
        return new TransformedWorkload(workload, change);
    }

    /** Returns the same workload without priorities. */
    static Workload withoutPriorities(Workload workload) {
        return new TransformedWorkload(workload, () -> arrival -> prioritised(arrival, duration -> 0));
    }

    private interface Priority {
        int of(Duration duration);
    }

    private static Arrival prioritised(Arrival arrival, Priority priority) {
        ApplicationSpec application = arrival.application();
        List<TaskSpec> tasks = new ArrayList<>(application.tasks().size());
        for (int i = 0; i < application.tasks().size(); i++) {
            tasks.add(application
                    .tasks()
                    .get(i)
                    .withPriority(priority.of(arrival.durations().get(i))));
        }
        return arrival.with(application
                .withQueue(null)
                .withGroups(List.of())
                .withTags(Map.of())
                .withTag(null, null)
                .withTasks(tasks));
    }

    /**
     * Returns the factor by which the capacities of these nodes can be multiplied within the limits of the engine; at
     * least 1.
     */
    static long scaleOf(List<NodeEntry> nodes) {
        Map<String, Double> sums = new TreeMap<>();
        for (NodeEntry node : nodes) {
            node.capacity()
                    .amounts()
                    .forEach((type, amount) -> sums.merge(type, (double) amount.value() * node.size(), Double::sum));
        }
        double largest =
                sums.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
        return (long) Math.max(1, Math.min(SCALE_MAX, SUM_MAX / Math.max(1.0, largest)));
    }

    /** Returns the same nodes with all capacities multiplied by this factor. */
    static List<NodeEntry> scaled(List<NodeEntry> nodes, long scale) {
        return nodes.stream()
                .map(node -> new NodeEntry(
                        node.name(),
                        node.count(),
                        node.partition(),
                        scaled(node.capacity(), scale),
                        node.labels(),
                        node.taints(),
                        node.health(),
                        node.offline(),
                        node.since()))
                .toList();
    }

    private static Resources scaled(Resources capacity, long scale) {
        Map<String, Amount> amounts = new TreeMap<>();
        capacity.amounts().forEach((type, amount) -> amounts.put(type, amount.times(scale)));
        return Resources.of(amounts);
    }
}
