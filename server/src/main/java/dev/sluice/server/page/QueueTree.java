package dev.sluice.server.page;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.view.DueResources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The part of a tree of queues that a page shows: found by a search, sorted, and without what is collapsed. */
public final class QueueTree {

    /** Maximum number of rows of a page. */
    static final int ROWS_MAX = 200;

    /** Trees with at most this many queues are shown completely at first. */
    private static final int OPEN_MAX = 60;

    /** The orders of siblings. */
    static final List<String> SORTS = List.of("", "name", "used", "pending");

    private final Map<String, List<QueueView>> children = new LinkedHashMap<>();
    private final List<QueueView> queues;
    private final Map<String, String> query;
    private final Set<String> toggled;
    private final @Nullable Set<String> found;

    /**
     * A row.
     *
     * @param toggle the address that opens or closes the queue; empty for leaves and searches
     * @param open whether its children are shown
     */
    public record Row(QueueView queue, Bar bar, String toggle, boolean open) {

        /** Returns what the queue is due, by resource type. */
        public Map<String, Long> due() {
            return DueResources.of(queue);
        }
    }

    /**
     * Returns the rows of the children of a queue, in the order of the tree.
     *
     * @param queues all queues
     */
    static List<Row> children(List<QueueView> queues, String parent, PartitionView partition, int max) {
        return queues.stream()
                .filter(each -> parent(each.path()).equals(parent))
                .limit(max)
                .map(each -> new Row(each, QueueDue.bar(each, partition), "", false))
                .toList();
    }

    /**
     * Creates a tree.
     *
     * @param queues all queues, parents before children
     * @param query the parameters of the page: {@code q}, {@code sort} and {@code toggle}
     */
    QueueTree(List<QueueView> queues, Map<String, String> query) {
        this.queues = queues;
        this.query = query;
        this.toggled = Set.of(query.getOrDefault("toggle", "").split(","));
        for (QueueView queue : queues) {
            children.computeIfAbsent(parent(queue.path()), path -> new ArrayList<>())
                    .add(queue);
        }
        Comparator<QueueView> order = order(query.getOrDefault("sort", ""));
        if (order != null) {
            children.values().forEach(siblings -> siblings.sort(order));
        }
        String search = query.getOrDefault("q", "").toLowerCase(Locale.ROOT);
        this.found = search.isEmpty() ? null : found(search);
    }

    private static @Nullable Comparator<QueueView> order(String sort) {
        Comparator<QueueView> byName = Comparator.comparing(QueueView::path);
        return switch (sort) {
            case "name" -> byName;
            case "used" -> Comparator.comparing(QueueView::used).reversed().thenComparing(byName);
            case "pending" ->
                Comparator.comparing(QueueView::pendingTasks).reversed().thenComparing(byName);
            default -> null; // as configured
        };
    }

    /** Returns the path of the parent; empty for the root. */
    static String parent(String path) {
        int dot = path.lastIndexOf('.');
        return dot < 0 ? "" : path.substring(0, dot);
    }

    /** Returns the paths that contain a text, and those of the queues above them. */
    private Set<String> found(String search) {
        Set<String> paths = new HashSet<>();
        for (QueueView queue : queues) {
            if (queue.name().toLowerCase(Locale.ROOT).contains(search)
                    || queue.path().equals(search)) {
                for (String path = queue.path(); !path.isEmpty() && paths.add(path); ) {
                    path = parent(path);
                }
            }
        }
        return paths;
    }

    /** Returns the rows of the tree. */
    List<Row> rows(PartitionView partition) {
        List<Row> rows = new ArrayList<>();
        add(rows, "", partition);
        return rows;
    }

    private void add(List<Row> rows, String parent, PartitionView partition) {
        for (QueueView queue : children.getOrDefault(parent, List.of())) {
            if (found != null && !found.contains(queue.path())) {
                continue;
            }
            boolean hasChildren = children.containsKey(queue.path());
            boolean open = hasChildren && (found != null || isOpen(queue));
            String toggle = hasChildren && found == null
                    ? Links.with(Links.queues(partition.name()), query, "toggle", toggledWith(queue.path()))
                    : "";
            rows.add(new Row(queue, QueueDue.bar(queue, partition), toggle, open));
            if (open) {
                add(rows, queue.path(), partition);
            }
        }
    }

    private boolean isOpen(QueueView queue) {
        boolean atFirst = queues.size() <= OPEN_MAX || queue.depth() == 0;
        return atFirst != toggled.contains(queue.path());
    }

    private String toggledWith(String path) {
        Set<String> changed = new HashSet<>(toggled);
        if (!changed.remove(path)) {
            changed.add(path);
        }
        return changed.stream().filter(each -> !each.isEmpty()).sorted().collect(Collectors.joining(","));
    }
}
