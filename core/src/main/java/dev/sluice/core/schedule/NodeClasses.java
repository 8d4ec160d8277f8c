package dev.sluice.core.schedule;

import dev.sluice.core.resource.Resources;
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
 * <p>Nodes with the same capacity and labels form a class, represented by one ready node and one node that is not
 * ready. Each equivalence class is checked on demand, and once until nodes are added, removed or changed.
 */
final class NodeClasses {

    private final Partition partition;
    private @Nullable List<Node> representatives;
    private long generation;

    private record Key(Resources capacity, SortedMap<String, String> labels, boolean ready) {}

    NodeClasses(Partition partition) {
        this.partition = partition;
    }

    /** Called when nodes were added, removed or changed. */
    void nodesChanged() {
        representatives = null;
        generation++;
    }

    /**
     * Returns whether some node, ready or not, has enough capacity and the required labels for a task of this class.
     */
    boolean isFeasible(EquivalenceClass equivalenceClass) {
        checkFeasibility(equivalenceClass);
        return equivalenceClass.feasible;
    }

    /** Returns whether some ready node has enough capacity and the required labels for a task of this class. */
    boolean isFeasibleOnReadyNodes(EquivalenceClass equivalenceClass) {
        checkFeasibility(equivalenceClass);
        return equivalenceClass.feasibleOnReadyNodes;
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
        for (Node node : representatives()) {
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
                if (classes.add(new Key(node.capacity(), node.labels(), node.isReady()))) {
                    known.add(node);
                }
            }
            representatives = known;
        }
        return known;
    }
}
