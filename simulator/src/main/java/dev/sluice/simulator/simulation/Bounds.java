package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.simulator.workload.Arrival;
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
 * What to compare configurations with: the same engine with one queue for all, on the same workload with priorities that tell the bound, or on
 * nodes without limits. See {@link dev.sluice.simulator.figures.Definition#SHORTEST_FIRST} and those after it.
 */
final class Bounds {

    /** Durations that differ by less than this are alike to the oracle: of 200,000 different ones some hundred remain. */
    private static final double ALIKE = 1.05;

    /** How many different places in line the lot knows. */
    private static final int RANDOM_PRIORITIES = 1_000;

    /** The most of one resource that all nodes of the bound without limits have together: half of what the engine takes. */
    private static final long SUM_MAX = 1L << 60;

    private static final long SCALE_MAX = 1_000_000;

    private Bounds() {}

    /** Partitions of these names with one queue each. */
    static List<PartitionConfiguration> oneQueue(List<PartitionConfiguration> like) {
        return like.stream()
                .map(partition -> PartitionConfiguration.of(
                        partition.name(), QueueConfiguration.parent("root", QueueConfiguration.leaf("default"))))
                .toList();
    }

    /** The same work, where what is shorter has a higher priority. */
    static Workload shortestFirst(Workload workload) {
        return new TransformedWorkload(workload, () -> arrival -> prioritised(arrival, Bounds::priorityOf));
    }

    private static int priorityOf(Duration duration) {
        return -(int) Math.round(StrictMath.log1p((double) duration.toMillis()) / StrictMath.log(ALIKE));
    }

    /** The same work with priorities that are drawn by lot. */
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

    /** The same work without priorities. */
    static Workload plain(Workload workload) {
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
        return arrival.with(new ApplicationSpec(
                application.id(),
                application.name(),
                null,
                application.user(),
                List.of(),
                new TreeMap<>(),
                null,
                null,
                application.sealed(),
                application.onFailure(),
                tasks));
    }

    /** How many times more these nodes can have without more than the engine takes; 1 if they have that much already. */
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

    /** The same nodes, each with so many times more of everything. */
    static List<NodeEntry> scaled(List<NodeEntry> nodes, long scale) {
        return nodes.stream()
                .map(node -> new NodeEntry(
                        node.name(),
                        node.count(),
                        node.partition(),
                        scaled(node.capacity(), scale),
                        node.labels(),
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
