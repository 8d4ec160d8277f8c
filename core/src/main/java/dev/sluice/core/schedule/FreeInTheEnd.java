package dev.sluice.core.schedule;

import dev.sluice.core.state.Changes;
import dev.sluice.core.state.ExpectedEnd;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeForecast;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An index of what is expected to be free on each ready node when all runs with a known end have ended. It is built at
 * the first search.
 */
final class FreeInTheEnd {

    /** The condition, in masks of the tree, that more is free in the end than now. */
    private static final long HAS_MORE = 1;

    private final Partition partition;
    private @Nullable CapacityTree tree;

    /** By the index of the node; null for those that are not in the tree. */
    private @Nullable Node[] nodes = {};

    private long[] @Nullable [] free = {};

    /** Whether a run on the node may have a known end, by index; then its runs must be looked at. */
    private boolean[] mayEnd = {};

    private int types;

    /** The nodes whose tasks have changed since the last {@link #update}. */
    private final Set<Node> changed = new LinkedHashSet<>();

    FreeInTheEnd(Partition partition) {
        this.partition = partition;
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void allChanged() {
        tree = null;
        changed.clear();
    }

    /** Called when tasks on nodes have changed. */
    void tasksChanged(Changes changes) {
        if (tree == null) {
            return;
        }
        List<Node> nodesOfTasks = changes.nodes();
        for (int i = 0; i < nodesOfTasks.size(); i++) {
            changed.add(nodesOfTasks.get(i));
        }
        List<Task> placed = changes.placedTasks();
        for (int i = 0; i < placed.size(); i++) {
            noteEnd(placed.get(i));
        }
        if (changes.tasksStale()) {
            Arrays.fill(mayEnd, true);
        }
    }

    private void noteEnd(Task task) {
        int node = task.node().index();
        if (node < mayEnd.length && !mayEnd[node]) {
            mayEnd[node] = ExpectedEnd.mayBeKnown(task);
        }
    }

    /** Returns whether there are more resource types than the index has. */
    boolean isOutdated() {
        return tree != null && types != partition.types().size();
    }

    /** Returns whether tasks on nodes have changed since the last {@link #update}. */
    boolean isChanged() {
        return !changed.isEmpty();
    }

    /** Updates the index; adds the nodes on which more is free in the end than before to a list. */
    void update(List<Node> grown) {
        for (Node node : changed) {
            long[] before = node.index() < free.length ? free[node.index()] : null;
            if (before != null && tree != null) {
                long[] after = amounts(node);
                put(tree, node, after);
                if (exceeds(after, before)) {
                    grown.add(node);
                }
            }
        }
        changed.clear();
    }

    /** Returns the most that is free in the end on any of these nodes, type by type. */
    long[] most(List<Node> ofNodes) {
        long[] most = new long[types];
        for (Node node : ofNodes) {
            for (int type = 0; type < types; type++) {
                most[type] = Math.max(most[type], Vectors.at(of(node), type));
            }
        }
        return most;
    }

    /** Returns what is free on a node in the end, as a vector; nothing if it is not ready. */
    long[] of(Node node) {
        tree();
        long[] known = node.index() < free.length ? free[node.index()] : null;
        return known == null ? Vectors.empty() : known;
    }

    /** Returns some node that has this much free in the end and passes the check, or null. */
    @Nullable Node any(long[] demand, Predicate<Node> check) {
        return any(demand, 0, check);
    }

    /** Like {@link #any}, of the nodes on which more is free in the end than now. */
    @Nullable Node anyWithMore(long[] demand, Predicate<Node> check) {
        return any(demand, HAS_MORE, check);
    }

    private @Nullable Node any(long[] demand, long mask, Predicate<Node> check) {
        int found = tree().first(demand, mask, number -> check.test(node(number)));
        return found == CapacityTree.NONE ? null : node(found);
    }

    /** Returns whether a node has this much free in the end. */
    boolean covers(Node node, long[] demand) {
        return Vectors.covers(of(node), demand);
    }

    private Node node(int number) {
        Node node = nodes[number];
        if (node == null) {
            throw new IllegalStateException("no node has the index " + number);
        }
        return node;
    }

    private CapacityTree tree() {
        return tree == null ? build() : tree;
    }

    private CapacityTree build() {
        types = partition.types().size();
        nodes = new @Nullable Node[partition.nodeIndexBound()];
        free = new long[partition.nodeIndexBound()] @Nullable [];
        mayEnd = new boolean[partition.nodeIndexBound()];
        CapacityTree built = new CapacityTree(nodes.length, types);
        for (Node node : partition.nodes()) {
            if (node.isReady() && !node.isRemoved()) {
                nodes[node.index()] = node;
                node.tasks().forEach(this::noteEnd);
                put(built, node, amounts(node));
            }
        }
        tree = built;
        return built;
    }

    private long[] amounts(Node node) {
        return mayEnd[node.index()]
                ? NodeForecast.freeInTheEnd(node, types)
                : NodeForecast.freeNow(node, types); // without a look at each of its runs
    }

    private void put(CapacityTree target, Node node, long[] amounts) {
        free[node.index()] = amounts;
        long[] capacity = new long[types + 1];
        for (int type = 0; type < types; type++) {
            capacity[type] = Math.max(0, amounts[type]);
        }
        boolean more = mayEnd[node.index()] && exceeds(amounts, NodeForecast.freeNow(node, types));
        capacity[types] = more ? HAS_MORE : 0;
        target.put(node.index(), 0, capacity);
    }

    private static boolean exceeds(long[] amounts, long[] former) {
        for (int type = 0; type < amounts.length; type++) {
            if (amounts[type] > Vectors.at(former, type)) {
                return true;
            }
        }
        return false;
    }
}
