package dev.sluice.server.page;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a queue is due of a resource type: the part of the partition that its parent's share policy promises. */
final class QueueDue {

    private QueueDue() {}

    /**
     * Returns the resource type of which the queue uses, else requests, the largest part of the partition; slots for a
     * load class.
     */
    static String resource(QueueView queue, PartitionView partition) {
        if (queue.share().entitlement() != null && partition.capacity().containsKey(ResourceTypes.SLOTS)) {
            return ResourceTypes.SLOTS; // load classes are entitled to slots
        }
        String used = largest(queue.allocated(), partition.capacity());
        if (used != null) {
            return used;
        }
        String requested = largest(queue.pending(), partition.capacity());
        if (requested != null) {
            return requested;
        }
        return partition.capacity().keySet().stream().findFirst().orElse(ResourceTypes.VCORE);
    }

    private static @Nullable String largest(Map<String, Long> amounts, Map<String, Long> whole) {
        String largest = null;
        double most = 0;
        for (Map.Entry<String, Long> amount : amounts.entrySet()) {
            double fraction = amount.getValue() / (double) Math.max(1, whole.getOrDefault(amount.getKey(), 0L));
            if (fraction > most || (fraction == most && ResourceTypes.SLOTS.equals(largest))) {
                most = fraction;
                largest = amount.getKey();
            }
        }
        return largest;
    }

    /** Returns the amount of a resource type that is due, or null if nothing says so. */
    static @Nullable Long due(QueueView queue, PartitionView partition, String type) {
        long whole = partition.capacity().getOrDefault(type, 0L);
        ShareView share = queue.share();
        if (share.fraction() != null) {
            return Math.round(share.fraction() * whole);
        }
        if (share.entitlement() != null) {
            return type.equals(ResourceTypes.SLOTS) ? share.entitlement().longValue() : null;
        }
        return queue.guaranteed().get(type);
    }

    /**
     * Returns what is guaranteed to all queues of a tree: of a parent what it is guaranteed itself, else what its
     * children are.
     *
     * @param queues all queues, parents before children
     */
    static Map<String, Long> guaranteed(List<QueueView> queues) {
        Map<String, Map<String, Long>> byPath = new HashMap<>();
        for (int i = queues.size() - 1; i >= 0; i--) {
            QueueView queue = queues.get(i);
            Map<String, Long> amounts = byPath.computeIfAbsent(queue.path(), path -> new TreeMap<>());
            amounts.putAll(queue.guaranteed());
            Map<String, Long> parent = byPath.computeIfAbsent(QueueTree.parent(queue.path()), path -> new TreeMap<>());
            amounts.forEach((type, amount) -> parent.merge(type, amount, Long::sum));
        }
        return byPath.getOrDefault("", Map.of());
    }

    /** Returns the bar of a queue in the tree. */
    static Bar bar(QueueView queue, PartitionView partition) {
        String type = resource(queue, partition);
        return Bar.of(
                type,
                queue.allocated().getOrDefault(type, 0L),
                due(queue, partition, type),
                queue.max().get(type),
                partition.capacity().getOrDefault(type, 0L));
    }
}
