package dev.sluice.core.schedule;

import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ready nodes of a partition in the order of its node sort policy, and the first of them that has room.
 *
 * <p>Nodes are ordered by (utilisation, name): the least utilised first under {@code fair}, the most utilised first under
 * {@code binpacking}. {@link #firstWithRoom} gives what a walk along that order would give. For speed the order is a search tree
 * (a treap: its shape is that of a random tree, from numbers that stay the same) in which every vertex knows the most that is free
 * of each resource type on any node of its subtree, and the labels that occur there; a subtree without room is passed over as a
 * whole. Finding and moving a node take logarithmic time as long as the resource types that a task needs are free on the same
 * nodes.
 */
final class NodeOrder {

    private static final int NONE = -1;

    private final Partition partition;
    private final Shapes shapes;
    private final int types;
    private final Node[] nodes;
    private final int[] vertexOfNode;
    private final int[] left;
    private final int[] right;
    private final int[] above;
    private final int[] weight;
    private final double[] key;
    private final long[] idleWorkers;
    private final long[] free;
    private final long[] freeInAll;
    private final long[] labels;
    private final long[] mostFree;
    private final long[] allLabels;
    private final double sign;
    private final int[] weightedTypes;
    private final double[] weights;
    private int root = NONE;

    /** The order of the nodes that are ready now. */
    NodeOrder(Partition partition, Shapes shapes) {
        this.partition = partition;
        this.shapes = shapes;
        this.types = partition.types().size();
        List<Node> ready = new ArrayList<>();
        for (Node node : partition.nodes()) {
            if (node.isReady()) {
                ready.add(node);
            }
        }
        ready.sort(Comparator.comparing(Node::name));
        int size = ready.size();
        nodes = ready.toArray(new Node[0]);
        vertexOfNode = new int[partition.nodeIndexBound()];
        Arrays.fill(vertexOfNode, NONE);
        left = new int[size];
        right = new int[size];
        above = new int[size];
        weight = new int[size];
        key = new double[size];
        idleWorkers = new long[size];
        free = new long[size * types];
        freeInAll = new long[types];
        labels = new long[size];
        mostFree = new long[size * types];
        allLabels = new long[size];
        PartitionConfiguration configuration = partition.configuration();
        sign = configuration.nodeSortPolicy() == NodeSortPolicy.FAIR ? 1 : -1;
        weightedTypes = new int[configuration.resourceWeights().size()];
        weights = new double[weightedTypes.length];
        int next = 0;
        for (Map.Entry<String, Double> entry : configuration.resourceWeights().entrySet()) {
            weightedTypes[next] = partition.types().find(entry.getKey());
            weights[next++] = entry.getValue();
        }
        for (int vertex = 0; vertex < size; vertex++) {
            vertexOfNode[nodes[vertex].index()] = vertex;
            weight[vertex] = scramble(vertex);
            labels[vertex] = shapes.maskOf(nodes[vertex]);
            read(vertex);
            insert(vertex);
        }
    }

    /** Whether resource types were met that the vertices know nothing of. */
    boolean isOutdated() {
        return types != partition.types().size();
    }

    /** Puts a node in its right place after its free room has changed. */
    void update(Node node) {
        int vertex = node.index() < vertexOfNode.length ? vertexOfNode[node.index()] : NONE;
        if (vertex == NONE || nodes[vertex] != node) {
            return;
        }
        double before = key[vertex];
        double after = sign * Utilisation.of(node, weightedTypes, weights);
        if (before == after || staysInPlace(vertex, after)) {
            read(vertex);
            summariseUpFrom(vertex);
        } else {
            remove(vertex);
            read(vertex);
            insert(vertex);
        }
    }

    /** Reads the labels of all nodes again, after labels came into use that no shape had required before. */
    void relabel() {
        for (int vertex = 0; vertex < nodes.length; vertex++) {
            labels[vertex] = shapes.maskOf(nodes[vertex]);
        }
        relabel(root);
    }

    private void relabel(int vertex) {
        if (vertex != NONE) {
            relabel(left[vertex]);
            relabel(right[vertex]);
            summarise(vertex);
        }
    }

    /** The first node in order that has room for this shape and the labels it requires, or null. */
    @Nullable Node firstWithRoom(Shape shape) {
        if (shape.requiredNode() != null) {
            Node node = partition.node(shape.requiredNode());
            boolean fits = node != null && node.isReady() && node.hasRoomFor(shape.demand) && shape.mayRunOn(node);
            return fits ? node : null;
        }
        return first(root, shape);
    }

    private @Nullable Node first(int vertex, Shape shape) {
        if (vertex == NONE || !mayFit(mostFree, allLabels, vertex, shape)) {
            return null;
        }
        Node found = first(left[vertex], shape);
        if (found != null) {
            return found;
        }
        if (mayFit(free, labels, vertex, shape) && shape.mayRunOn(nodes[vertex])) {
            return nodes[vertex];
        }
        return first(right[vertex], shape);
    }

    private boolean mayFit(long[] amounts, long[] masks, int vertex, Shape shape) {
        long[] demand = shape.demand;
        int base = vertex * types;
        for (int i = 0; i < demand.length; i++) {
            if (demand[i] > amounts[base + i]) {
                return false;
            }
        }
        return (masks[vertex] & shape.labelMask) == shape.labelMask;
    }

    private void read(int vertex) {
        Node node = nodes[vertex];
        key[vertex] = sign * Utilisation.of(node, weightedTypes, weights);
        for (int i = 0; i < types; i++) {
            int at = vertex * types + i;
            long before = free[at];
            free[at] = node.free(i);
            if (i != ResourceTypes.SLOTS_INDEX) {
                freeInAll[i] += free[at] - before;
            }
        }
        freeInAll[ResourceTypes.SLOTS_INDEX] += node.idleWorkers() - idleWorkers[vertex];
        idleWorkers[vertex] = node.idleWorkers();
    }

    /** What is free on all these nodes together, by type; slots are idle workers. */
    long[] freeInAll() {
        return freeInAll.clone();
    }

    /** Whether the vertex's neighbours in the order stay its neighbours under another key; false also where that is not seen easily. */
    private boolean staysInPlace(int vertex, double newKey) {
        int before = left[vertex];
        if (before != NONE) {
            while (right[before] != NONE) {
                before = right[before];
            }
        } else {
            int child = vertex;
            before = above[vertex];
            while (before != NONE && left[before] == child) {
                child = before;
                before = above[before];
            }
        }
        if (before != NONE && !precedes(key[before], before, newKey, vertex)) {
            return false;
        }
        int after = right[vertex];
        if (after != NONE) {
            while (left[after] != NONE) {
                after = left[after];
            }
        } else {
            int child = vertex;
            after = above[vertex];
            while (after != NONE && right[after] == child) {
                child = after;
                after = above[after];
            }
        }
        return after == NONE || precedes(newKey, vertex, key[after], after);
    }

    /** Vertices are numbered in the order of the nodes' names, so the number breaks the tie. */
    private static boolean precedes(double keyA, int a, double keyB, int b) {
        return keyA < keyB || (keyA == keyB && a < b);
    }

    private void insert(int vertex) {
        left[vertex] = NONE;
        right[vertex] = NONE;
        above[vertex] = NONE;
        int at = root;
        while (at != NONE) {
            boolean goLeft = precedes(key[vertex], vertex, key[at], at);
            above[vertex] = at;
            at = goLeft ? left[at] : right[at];
        }
        int parent = above[vertex];
        if (parent == NONE) {
            root = vertex;
        } else if (precedes(key[vertex], vertex, key[parent], parent)) {
            left[parent] = vertex;
        } else {
            right[parent] = vertex;
        }
        summarise(vertex);
        while (above[vertex] != NONE && weight[vertex] > weight[above[vertex]]) {
            rotateUp(vertex);
        }
        summariseUpFrom(vertex);
    }

    private void remove(int vertex) {
        while (left[vertex] != NONE && right[vertex] != NONE) {
            rotateUp(weight[left[vertex]] > weight[right[vertex]] ? left[vertex] : right[vertex]);
        }
        int child = left[vertex] != NONE ? left[vertex] : right[vertex];
        int parent = above[vertex];
        replaceBelow(parent, vertex, child);
        if (parent != NONE) {
            summariseUpFrom(parent);
        }
    }

    /** Lifts a vertex above its parent, keeping the order; the parent is summarised, the vertex is not. */
    private void rotateUp(int vertex) {
        int parent = above[vertex];
        int grandparent = above[parent];
        int moved;
        if (left[parent] == vertex) {
            moved = right[vertex];
            left[parent] = moved;
            right[vertex] = parent;
        } else {
            moved = left[vertex];
            right[parent] = moved;
            left[vertex] = parent;
        }
        if (moved != NONE) {
            above[moved] = parent;
        }
        above[parent] = vertex;
        replaceBelow(grandparent, parent, vertex);
        summarise(parent);
    }

    private void replaceBelow(int parent, int former, int vertex) {
        if (parent == NONE) {
            root = vertex;
        } else if (left[parent] == former) {
            left[parent] = vertex;
        } else {
            right[parent] = vertex;
        }
        if (vertex != NONE) {
            above[vertex] = parent;
        }
    }

    private void summariseUpFrom(int vertex) {
        for (int at = vertex; at != NONE; at = above[at]) {
            summarise(at);
        }
    }

    /** Works out what is known of a vertex's subtree from its own node and the vertices right below. */
    private void summarise(int vertex) {
        int base = vertex * types;
        int leftBase = left[vertex] * types;
        int rightBase = right[vertex] * types;
        for (int i = 0; i < types; i++) {
            long most = free[base + i];
            if (leftBase >= 0) {
                most = Math.max(most, mostFree[leftBase + i]);
            }
            if (rightBase >= 0) {
                most = Math.max(most, mostFree[rightBase + i]);
            }
            mostFree[base + i] = most;
        }
        long mask = labels[vertex];
        if (leftBase >= 0) {
            mask |= allLabels[left[vertex]];
        }
        if (rightBase >= 0) {
            mask |= allLabels[right[vertex]];
        }
        allLabels[vertex] = mask;
    }

    /** A number that looks random but is always the same (the finisher of MurmurHash3). */
    private static int scramble(int number) {
        int hash = number + 1;
        hash ^= hash >>> 16;
        hash *= 0x85ebca6b;
        hash ^= hash >>> 13;
        hash *= 0xc2b2ae35;
        hash ^= hash >>> 16;
        return hash;
    }
}
