package dev.sluice.server.page;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a queue is due of a resource type: the part of the partition that its parent's share policy promises. */
final class QueueDue {

    private static final String FAIR = SharePolicyKind.FAIR.wireName();

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

    /** Returns the amounts that its parent's share policy promises to a queue; without the types of which nothing says so. */
    static Map<String, Long> of(QueueView queue) {
        ShareView share = queue.share();
        if (share.fraction() != null) {
            return share.due() == null ? Map.of() : share.due();
        }
        return share.entitlement() == null
                ? queue.guaranteed()
                : Map.of(ResourceTypes.SLOTS, share.entitlement().longValue());
    }

    /**
     * Returns what is due to the children of root together: by the policy {@code fair} what they are guaranteed, or what
     * their children are if nothing is.
     *
     * @param queues all queues, root first
     */
    static Map<String, Long> sum(List<QueueView> queues) {
        Map<String, List<QueueView>> children =
                queues.stream().collect(Collectors.groupingBy(queue -> QueueTree.parent(queue.path())));
        QueueView root = queues.get(0);
        if (root.policy().equals(FAIR) || root.leaf()) {
            return guaranteed(root, children);
        }
        Map<String, Long> sum = new TreeMap<>();
        children.getOrDefault(root.path(), List.of()).forEach(child -> add(sum, of(child)));
        return sum;
    }

    private static Map<String, Long> guaranteed(QueueView queue, Map<String, List<QueueView>> children) {
        Map<String, Long> amounts = new TreeMap<>();
        if (queue.policy().equals(FAIR)) {
            children.getOrDefault(queue.path(), List.of()).forEach(child -> add(amounts, guaranteed(child, children)));
        }
        amounts.putAll(queue.guaranteed());
        return amounts;
    }

    private static void add(Map<String, Long> sum, Map<String, Long> amounts) {
        amounts.forEach((type, amount) -> sum.merge(type, amount, Long::sum));
    }

    /** Returns the bar of a queue in the tree. */
    static Bar bar(QueueView queue, PartitionView partition) {
        String type = resource(queue, partition);
        return Bar.of(
                type,
                queue.allocated().getOrDefault(type, 0L),
                of(queue).get(type),
                queue.max().get(type),
                partition.capacity().getOrDefault(type, 0L));
    }
}
