package dev.sluice.server.page;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.view.DueResources;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is shown of a queue in its bar: what it uses, is due and may use of one resource type. */
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

    /** Returns the bar of a queue in the tree. */
    static Bar bar(QueueView queue, PartitionView partition) {
        String type = resource(queue, partition);
        return Bar.of(
                type,
                queue.allocated().getOrDefault(type, 0L),
                DueResources.of(queue).get(type),
                queue.max().get(type),
                partition.capacity().getOrDefault(type, 0L));
    }
}
