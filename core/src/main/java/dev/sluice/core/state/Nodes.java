package dev.sluice.core.state;

import dev.sluice.core.application.Taint;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The nodes of a partition, the sums of their capacities, and their timers. */
final class Nodes {

    private final ResourceTypes types;
    private final Timers timers;
    private final Changes changes;
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final IndexAllocator indexes = new IndexAllocator();
    private final NodeTotals totals;
    private final Usage usage;

    Nodes(ResourceTypes types, NodeTotals totals, Usage usage, Timers timers, Changes changes) {
        this.types = types;
        this.totals = totals;
        this.usage = usage;
        this.timers = timers;
        this.changes = changes;
    }

    /** Returns all nodes in the order of registration. */
    Collection<Node> all() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    @Nullable Node find(String name) {
        return nodes.get(name);
    }

    Node existing(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalStateException("node " + name + " not found");
        }
        return node;
    }

    /** Returns an exclusive upper bound of the indexes of nodes. */
    int indexBound() {
        return indexes.bound();
    }

    NodeTotals totals() {
        return totals;
    }

    void register(String name, Resources capacity, SortedMap<String, String> labels, Instant at) {
        Node node = new Node(types, name, indexes.allocate(), capacity, labels, at);
        nodes.put(name, node);
        count(node, 1, at);
    }

    void update(String name, Resources capacity, SortedMap<String, String> labels, Instant at) {
        Node node = existing(name);
        count(node, -1, at);
        node.update(capacity, labels);
        count(node, 1, at);
    }

    void taint(String name, List<Taint> taints, Instant at) {
        Node node = existing(name);
        count(node, -1, at);
        node.setTaints(taints);
        node.updateEviction(timers);
        count(node, 1, at);
    }

    void setOffline(String name, boolean offline, Instant at) {
        Node node = existing(name);
        count(node, -1, at);
        node.setOffline(offline);
        count(node, 1, at);
    }

    void setHealth(NodeEvent.HealthChanged change) {
        Node node = existing(change.node());
        if (node.health() != change.from()) {
            throw new IllegalStateException(node + " is " + node.health() + ", not " + change.from());
        }
        count(node, -1, change.at());
        node.setHealth(change.to(), change.flakySince(), change.at());
        count(node, 1, change.at());
        timers.cancel(node);
        Instant flakySince = node.flakySince();
        if (node.health() == NodeHealth.LOST) {
            timers.set(node, node.healthSince(), SchedulerLimits.LOST_MAX);
        } else if (node.health() == NodeHealth.FLAKY && flakySince != null) {
            timers.set(node, flakySince, SchedulerLimits.FLAKY_MAX);
        }
    }

    void remove(String name, Instant at) {
        Node node = existing(name);
        if (!node.tasks().isEmpty()) {
            throw new IllegalStateException(name + " still has tasks");
        }
        count(node, -1, at);
        timers.cancel(node);
        node.setTaints(List.of());
        node.updateEviction(timers);
        node.markRemoved();
        nodes.remove(name);
        indexes.free(node.index());
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(nodes.size());
        for (Node node : nodes.values()) {
            out.register(node);
            node.writeTo(out);
        }
        indexes.writeTo(out);
    }

    void readFrom(PartitionCheckpointReader in) {
        for (int left = in.count(); left > 0; left--) {
            Node node = Node.readFrom(in, types);
            if (nodes.putIfAbsent(node.name(), node) != null) {
                throw PartitionCheckpointReader.corrupt("duplicate node " + node);
            }
            in.register(node);
            totals.count(node, 1);
        }
        indexes.readFrom(in, nodes.values().stream().mapToInt(Node::index));
    }

    /** Restores the order of the tasks that were read on each node. */
    void restoreOrder() {
        nodes.values().forEach(node -> {
            node.restoreOrder();
            node.updateEviction(timers);
        });
    }

    /** Adds the capacity of a node to the sums, or subtracts it if the sign is -1. */
    private void count(Node node, int sign, Instant at) {
        usage.updateAll(at);
        totals.count(node, sign);
        changes.touchNodes();
    }
}
