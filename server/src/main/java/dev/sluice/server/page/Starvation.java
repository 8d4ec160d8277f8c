package dev.sluice.server.page;

import dev.sluice.server.api.QueueView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds queues with pending tasks that have less than their parent's share policy promises: less than they are
 * guaranteed of a resource that these tasks request; fewer workers than they are entitled to, while other load
 * classes have loans; or nothing, although they take part in the division by usage.
 */
final class Starvation {

    private final List<QueueView> queues;
    private final Map<String, QueueView> byPath;
    private final Map<String, List<QueueView>> siblings;

    private Starvation(List<QueueView> queues) {
        this.queues = queues;
        this.byPath = queues.stream().collect(Collectors.toMap(QueueView::path, Function.identity()));
        this.siblings = queues.stream().collect(Collectors.groupingBy(queue -> QueueTree.parent(queue.path())));
    }

    /**
     * A queue that has less than it is due.
     *
     * @param leaf the path of a leaf with pending tasks: the queue itself, or the first one below it
     * @param words what it has, and what it is due
     */
    record Starved(QueueView queue, String leaf, String words) {}

    /**
     * Returns such queues in the order of the tree, without those above others that are returned.
     *
     * @param queues all queues of a partition, parents before children
     */
    static List<Starved> of(List<QueueView> queues) {
        return new Starvation(queues).find();
    }

    private List<Starved> find() {
        Set<String> above = new HashSet<>();
        Map<String, String> leaves = new HashMap<>();
        List<Starved> found = new ArrayList<>();
        for (int i = queues.size() - 1; i >= 0; i--) {
            QueueView queue = queues.get(i);
            if (queue.pendingTasks() == 0) {
                continue;
            }
            String parent = QueueTree.parent(queue.path());
            String leaf = queue.leaf() ? queue.path() : leaves.getOrDefault(queue.path(), queue.path());
            leaves.put(parent, leaf);
            String words = above.contains(queue.path()) ? "" : words(queue, byPath.get(parent));
            if (!words.isEmpty()) {
                found.add(0, new Starved(queue, leaf, words));
            }
            if (!words.isEmpty() || above.contains(queue.path())) {
                above.add(parent);
            }
        }
        return found;
    }

    private String words(QueueView queue, @Nullable QueueView parent) {
        String guarantee = guarantee(queue);
        if (!guarantee.isEmpty() || parent == null) {
            return guarantee;
        }
        return switch (parent.policy()) {
            case "load" -> entitlement(queue);
            case "usage" ->
                UsageWords.takesPart(queue) && queue.allocatedTasks() == 0
                        ? "has nothing, although its fraction by usage is "
                                + Figures.percent(UsageWords.fraction(queue))
                        : "";
            default -> "";
        };
    }

    private String guarantee(QueueView queue) {
        for (String type : queue.guaranteed().keySet()) {
            long used = queue.allocated().getOrDefault(type, 0L);
            long guaranteed = queue.guaranteed().getOrDefault(type, 0L);
            if (used < guaranteed && queue.pending().getOrDefault(type, 0L) > 0 && !isAtMaximum(queue)) {
                return "uses " + Figures.amount(type, used) + " of the " + Figures.amount(type, guaranteed) + " of "
                        + type + " that it is guaranteed";
            }
        }
        return "";
    }

    /** Returns whether it or a queue above it has reached its maximum of a resource that its pending tasks request. */
    private boolean isAtMaximum(QueueView queue) {
        for (QueueView each = queue; each != null; each = byPath.get(QueueTree.parent(each.path()))) {
            for (Map.Entry<String, Long> max : each.max().entrySet()) {
                if (queue.pending().getOrDefault(max.getKey(), 0L) > 0
                        && each.allocated().getOrDefault(max.getKey(), 0L) >= max.getValue()) {
                    return true;
                }
            }
        }
        return false;
    }

    private String entitlement(QueueView queue) {
        Integer waiting = queue.share().waiting();
        long loans = siblings.getOrDefault(QueueTree.parent(queue.path()), List.of()).stream()
                .mapToLong(LoadWords::loan)
                .sum();
        return waiting == null || waiting == 0 || LoadWords.unused(queue) == 0 || loans == 0
                ? ""
                : "uses " + Figures.count(queue.allocatedTasks()) + " of the "
                        + Figures.count(LoadWords.entitlement(queue))
                        + " workers that it is entitled to, while other classes have " + Figures.count(loans)
                        + " on loan";
    }
}
