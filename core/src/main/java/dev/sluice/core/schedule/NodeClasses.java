package dev.sluice.core.schedule;

import dev.sluice.core.application.Taint;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which equivalence classes the nodes of a partition could run if nothing else ran on them.
 *
 * <p>Nodes with the same capacity, labels and taints form a class, represented by one ready node and one node that is
 * not ready. Each equivalence class is checked on demand, and once until nodes are added, removed or changed.
 */
final class NodeClasses {

    private final Partition partition;
    private @Nullable List<Node> representatives;
    private @Nullable List<Node> nodes;
    private long generation;

    private record Key(Resources capacity, SortedMap<String, String> labels, List<Taint> taints, boolean ready) {}

    NodeClasses(Partition partition) {
        this.partition = partition;
    }

    /** Called when nodes were added, removed or changed. */
    void nodesChanged() {
        representatives = null;
        nodes = null;
        generation++;
    }

    /**
     * Returns whether some node, ready or not, has enough capacity and meets the conditions of this class.
     */
    boolean isFeasible(EquivalenceClass equivalenceClass) {
        checkFeasibility(equivalenceClass);
        return equivalenceClass.feasible;
    }

    /** Returns whether some ready node has enough capacity and meets the conditions of this class. */
    boolean isFeasibleOnReadyNodes(EquivalenceClass equivalenceClass) {
        checkFeasibility(equivalenceClass);
        return equivalenceClass.feasibleOnReadyNodes;
    }

    /** Returns a number that changes when nodes were added, removed or changed. */
    long generation() {
        return generation;
    }

    /** Returns whether the nodes, ready or not, may hold all members of a gang if nothing else ran on them. */
    boolean isFeasible(GangProgress gang) {
        List<Node> known = nodes == null ? List.copyOf(partition.nodes()) : nodes;
        nodes = known;
        return Boolean.TRUE.equals(new GangCapacity(partition, gang, known).step(() -> true));
    }

    private void checkFeasibility(EquivalenceClass equivalenceClass) {
        if (equivalenceClass.checkedGeneration == generation) {
            return;
        }
        equivalenceClass.checkedGeneration = generation;
        equivalenceClass.feasible = false;
        equivalenceClass.feasibleOnReadyNodes = false;
        String required = equivalenceClass.requiredNode();
        if (required != null) {
            Node node = partition.node(required);
            if (node != null) {
                checkFeasibility(equivalenceClass, node);
            }
            return;
        }
        for (Node node : equivalenceClass.needsName ? partition.nodes() : representatives()) {
            checkFeasibility(equivalenceClass, node);
            if (equivalenceClass.feasibleOnReadyNodes) {
                return;
            }
        }
    }

    private static void checkFeasibility(EquivalenceClass equivalenceClass, Node node) {
        if (node.isLargeEnoughFor(equivalenceClass.demand) && equivalenceClass.mayRunOn(node)) {
            equivalenceClass.feasible = true;
            equivalenceClass.feasibleOnReadyNodes |= node.isReady();
        }
    }

    private List<Node> representatives() {
        List<Node> known = representatives;
        if (known == null) {
            Set<Key> classes = new HashSet<>();
            known = new ArrayList<>();
            for (Node node : partition.nodes()) {
                if (classes.add(new Key(node.capacity(), node.labels(), node.taints(), node.isReady()))) {
                    known.add(node);
                }
            }
            representatives = known;
        }
        return known;
    }
}
