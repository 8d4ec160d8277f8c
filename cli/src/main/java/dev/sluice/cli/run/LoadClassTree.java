package dev.sluice.cli.run;

import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.share.LoadClass;
import dev.sluice.core.share.LoadDivision;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.PartitionEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The queues and workers of one partition, from its events, and how its load classes divide these workers.
 *
 * <p>A class is entitled to its percentage of the workers of the partition, or of the entitlement of the class above
 * it. A queue that is no longer configured is no class any more.
 */
final class LoadClassTree {

    private TreeQueue root = new TreeQueue(QueueConfiguration.leaf("root"));
    private final Set<String> created = new LinkedHashSet<>();
    private final Map<String, Workers> nodes = new LinkedHashMap<>();

    /** What a class is entitled to. */
    record Entitlement(String path, int percent, int workers) {}

    private record Workers(long count, NodeHealth health, boolean offline) {

        boolean areReady() {
            return health == NodeHealth.READY && !offline;
        }
    }

    /** A queue, with the configured queues below it; those that placement rules created are added. */
    private static final class TreeQueue {
        private final QueueConfiguration configuration;
        private final Map<String, TreeQueue> children = new LinkedHashMap<>();

        private TreeQueue(QueueConfiguration configuration) {
            this.configuration = configuration;
            configuration.children().forEach(child -> children.put(child.name(), new TreeQueue(child)));
        }
    }

    /** Updates the tree with an event of this partition; returns whether entitlements may have changed. */
    boolean update(Event event) {
        if (event instanceof NodeEvent node) {
            update(node);
        } else if (event instanceof PartitionEvent.Configured configured) {
            root = new TreeQueue(configured.configuration().root());
            created.forEach(this::create);
        } else if (event instanceof PartitionEvent.QueueCreated queue) {
            created.add(queue.path());
            create(queue.path());
        } else if (event instanceof PartitionEvent.QueueRemoved queue) {
            created.remove(queue.path());
            remove(queue.path());
        } else {
            return false;
        }
        return true;
    }

    private void update(NodeEvent event) {
        String name = event.node();
        if (event instanceof NodeEvent.Registered node) {
            nodes.put(name, new Workers(Node.workers(node.capacity()), NodeHealth.READY, false));
        } else if (event instanceof NodeEvent.Updated node) {
            long count = Node.workers(node.capacity());
            nodes.computeIfPresent(name, (key, old) -> new Workers(count, old.health, old.offline));
        } else if (event instanceof NodeEvent.HealthChanged node) {
            nodes.computeIfPresent(name, (key, old) -> new Workers(old.count, node.to(), old.offline));
        } else if (event instanceof NodeEvent.Removed) {
            nodes.remove(name);
        } else {
            boolean offline = event instanceof NodeEvent.TakenOffline;
            nodes.computeIfPresent(name, (key, old) -> new Workers(old.count, old.health, offline));
        }
    }

    private void create(String path) {
        String[] names = path.split("\\.");
        TreeQueue above = root;
        ChildTemplate template = root.configuration.childTemplate();
        for (int i = 1; i < names.length; i++) {
            TreeQueue child = above.children.get(names[i]);
            if (child == null) {
                boolean leaf = i == names.length - 1;
                child = new TreeQueue(
                        !leaf
                                ? QueueConfiguration.parent(names[i])
                                : template == null ? QueueConfiguration.leaf(names[i]) : template.leaf(names[i]));
                above.children.put(names[i], child);
            }
            ChildTemplate own = child.configuration.childTemplate();
            template = own == null ? template : own;
            above = child;
        }
    }

    private void remove(String path) {
        String[] names = path.split("\\.");
        TreeQueue above = root;
        for (int i = 1; i < names.length - 1 && above != null; i++) {
            above = above.children.get(names[i]);
        }
        if (above != null) {
            above.children.remove(names[names.length - 1]);
        }
    }

    /** Returns the entitlements of all classes, parents before children. */
    List<Entitlement> entitlements() {
        long workers = nodes.values().stream()
                .filter(Workers::areReady)
                .mapToLong(Workers::count)
                .sum();
        List<Entitlement> entitlements = new ArrayList<>();
        int all = (int) Math.min(Integer.MAX_VALUE, workers);
        divide(root.configuration.name(), root, all, all, entitlements);
        return entitlements;
    }

    private static void divide(String path, TreeQueue parent, int own, int all, List<Entitlement> into) {
        List<TreeQueue> children = List.copyOf(parent.children.values());
        List<String> paths = children.stream()
                .map(child -> path + "." + child.configuration.name())
                .toList();
        List<Integer> workers = new ArrayList<>();
        if (parent.configuration.properties().sharePolicy() == SharePolicyKind.LOAD) {
            LoadDivision division = LoadDivision.allocate(
                    own, 0, children.stream().map(LoadClassTree::loadClass).toList());
            workers.addAll(division.entitlements());
            for (int i = 0; i < paths.size(); i++) {
                into.add(new Entitlement(paths.get(i), division.percents().get(i), workers.get(i)));
            }
        }
        for (int i = 0; i < paths.size(); i++) {
            divide(paths.get(i), children.get(i), workers.isEmpty() ? all : workers.get(i), all, into);
        }
    }

    private static LoadClass loadClass(TreeQueue queue) {
        return new LoadClass(queue.configuration.properties().load().percentOrZero(), 0, 0);
    }
}
