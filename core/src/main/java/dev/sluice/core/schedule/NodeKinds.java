package dev.sluice.core.schedule;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * The ready nodes of a partition by what they are: many nodes are alike, so whether any of them is large enough for a task is found without a look at
 * each. They are collected when they are asked for after nodes have changed.
 */
final class NodeKinds {

    private final Partition partition;
    private final List<Node> examples = new ArrayList<>();
    private boolean stale = true;
    private long version;

    /** What makes two nodes the same for what could run there. */
    private record Kind(Resources capacity, SortedMap<String, String> labels) {}

    NodeKinds(Partition partition) {
        this.partition = partition;
    }

    /** Takes note that nodes came, went or were changed. */
    void nodesChanged() {
        stale = true;
        version++;
    }

    /** Whether any ready node would have room for a task of this shape if nothing else ran there. */
    boolean admit(Shape shape) {
        if (shape.admittedAt != version) {
            shape.admittedAt = version;
            shape.admitted = findAdmitted(shape);
        }
        return shape.admitted;
    }

    private boolean findAdmitted(Shape shape) {
        if (shape.requiredNode() != null) {
            Node node = partition.node(shape.requiredNode());
            return node != null && node.isReady() && admits(node, shape);
        }
        if (stale) {
            collect();
        }
        for (Node node : examples) {
            if (admits(node, shape)) {
                return true;
            }
        }
        return false;
    }

    private void collect() {
        examples.clear();
        Set<Kind> kinds = new LinkedHashSet<>();
        for (Node node : partition.nodes()) {
            if (node.isReady() && kinds.add(new Kind(node.capacity(), node.labels()))) {
                examples.add(node);
            }
        }
        stale = false;
    }

    private static boolean admits(Node node, Shape shape) {
        for (int type = 0; type < shape.demand.length; type++) {
            boolean unlimited = type == ResourceTypes.SLOTS_INDEX && !node.declaresSlots();
            if (!unlimited && shape.demand[type] > Vectors.at(node.capacityVector(), type)) {
                return false;
            }
        }
        return shape.mayRunOn(node);
    }
}
