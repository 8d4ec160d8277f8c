package dev.sluice.server.view;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What queues are due: the amounts that the share policies of their parents promise. */
public final class DueResources {

    private static final String FAIR = SharePolicyKind.FAIR.wireName();

    private DueResources() {}

    /**
     * Returns the amounts that its parent's share policy promises to a queue; without the types of which nothing says
     * so.
     */
    public static Map<String, Long> of(QueueView queue) {
        ShareView share = queue.share();
        if (share.fraction() != null) {
            return share.due() == null ? Map.of() : share.due();
        }
        return share.entitlement() == null
                ? queue.guaranteed()
                : Map.of(ResourceTypes.SLOTS, share.entitlement().longValue());
    }

    /**
     * Returns what is due to the children of root together: by the policy {@code fair} what they are guaranteed, or
     * what their children are if nothing is.
     *
     * @param queues all queues, root first
     */
    public static Map<String, Long> sum(List<QueueView> queues) {
        Map<String, List<QueueView>> children =
                queues.stream().collect(Collectors.groupingBy(queue -> parent(queue.path())));
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

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }
}
