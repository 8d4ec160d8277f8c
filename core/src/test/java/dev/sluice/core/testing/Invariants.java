package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.fail;
import static dev.sluice.core.testing.StateAssertions.isTrue;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Invariants of the state between two calls of the scheduler: every counter equals the sum of its parts, indexes and
 * cross-references are consistent, and application states follow from their tasks. Each kind of object has its own
 * class of invariants.
 */
public final class Invariants {

    private Invariants() {}

    /** Checks all partitions; throws {@link AssertionError} with the first violation. */
    public static void check(SchedulerState state) {
        for (Partition partition : state.partitions()) {
            check(partition);
        }
    }

    private static void check(Partition partition) {
        Set<Task> placed = ApplicationInvariants.check(partition);
        new NodeInvariants(partition, placed).check();
        new QueueInvariants(partition).check();
        new TimerInvariants(partition, placed).check();
        LineageInvariants.check(partition);
        isTrue(
                partition,
                "durations within the limit",
                partition.durations().size() <= SchedulerLimits.DURATION_KEYS_MAX);
    }

    /** Returns the allocated resources of every queue and node, for a comparison after a cycle. */
    public static Allocations allocations(Partition partition) {
        Map<String, SortedMap<String, Long>> queues = new TreeMap<>();
        for (Queue queue : partition.queues().all()) {
            queues.put(queue.path(), StateText.amounts(queue.allocated(), partition.types()));
        }
        Map<String, SortedMap<String, Long>> nodes = new TreeMap<>();
        for (Node node : partition.nodes()) {
            nodes.put(node.name(), StateText.amounts(node.allocated(), partition.types()));
        }
        return new Allocations(queues, nodes);
    }

    /**
     * Checks that a cycle brought no queue over its maximum and no node over its capacity: an excess from before, after
     * a limit was lowered, must not have grown.
     */
    public static void checkCycle(Allocations before, Partition partition) {
        ResourceTypes types = partition.types();
        for (Queue queue : partition.queues().all()) {
            SortedMap<String, Long> max = StateText.limits(queue.max(), types);
            StateText.amounts(queue.allocated(), types).forEach((type, amount) -> {
                long former = before.queues()
                        .getOrDefault(queue.path(), Collections.emptySortedMap())
                        .getOrDefault(type, 0L);
                if (amount > former && amount > max.getOrDefault(type, Long.MAX_VALUE)) {
                    fail(queue + " exceeds its maximum of " + type + ": " + amount + " of " + max);
                }
            });
        }
        for (Node node : partition.nodes()) {
            StateText.amounts(node.allocated(), types).forEach((type, amount) -> {
                long former = before.nodes()
                        .getOrDefault(node.name(), Collections.emptySortedMap())
                        .getOrDefault(type, 0L);
                boolean limited = !type.equals(ResourceTypes.SLOTS) || node.declaresSlots();
                if (amount > former
                        && limited
                        && amount > node.capacity().amount(type).value()) {
                    fail(node + " exceeds its capacity of " + type + ": " + amount + " of " + node.capacity());
                }
                if (amount > former && (node.health() != NodeHealth.READY || node.isOffline())) {
                    fail(node + " is not ready but got a task");
                }
            });
        }
    }

    /**
     * Allocated resources by type.
     *
     * @param queues by path
     * @param nodes by name
     */
    public record Allocations(
            Map<String, SortedMap<String, Long>> queues, Map<String, SortedMap<String, Long>> nodes) {}
}
