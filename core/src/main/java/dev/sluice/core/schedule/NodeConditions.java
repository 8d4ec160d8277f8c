package dev.sluice.core.schedule;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Taint;
import dev.sluice.core.state.Node;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The conditions on nodes that equivalence classes have, each with a bit, so that the capacity index skips blocks in
 * which no node meets them.
 *
 * <p>A condition is evaluated once for all nodes with the same labels and taints, unless it depends on their names.
 * Conditions beyond the {@value #BITS} bits have none: nodes are then checked one by one. A condition that no class
 * uses any more keeps its bit, in case it returns, until another one needs the bit.
 */
final class NodeConditions {

    static final int BITS = 64;

    private final Map<NodeCondition, Integer> bits = new HashMap<>();
    private final @Nullable NodeCondition[] conditions = new NodeCondition[BITS];
    private final int[] uses = new int[BITS];

    /** The bits that no class uses: first those that never had a condition, then the longest unused ones. */
    private final Set<Integer> unused = new LinkedHashSet<>();

    private final Map<LabelsAndTaints, Evaluation> evaluations = new HashMap<>();
    private long assigned;
    private long nameBits;
    private boolean changed;

    /** What nodes have in common that meet the same conditions. */
    private record LabelsAndTaints(SortedMap<String, String> labels, List<Taint> taints) {}

    /** The bits of the conditions that are met, among those evaluated. */
    private static final class Evaluation {
        private long met;
        private long evaluated;
    }

    /** Creates conditions with those of tasks without constraints, which nearly every partition has. */
    NodeConditions() {
        for (int bit = 0; bit < BITS; bit++) {
            unused.add(bit);
        }
        use(NodeCondition.of(Constraints.NONE));
    }

    /** Returns a mask with the bits of these conditions, as far as there are any, for a class that uses them now. */
    long use(List<NodeCondition> needed) {
        long mask = 0;
        for (NodeCondition condition : needed) {
            Integer bit = bits.get(condition);
            if (bit == null && !unused.isEmpty()) {
                bit = unused.iterator().next();
                assign(bit, condition);
            }
            if (bit != null && (mask & 1L << bit) == 0) {
                mask |= 1L << bit;
                uses[bit]++;
                unused.remove(bit);
            }
        }
        return mask;
    }

    /** Called with the mask of a class that uses its conditions no more. */
    void release(long mask) {
        for (long left = mask; left != 0; left &= left - 1) {
            int bit = Long.numberOfTrailingZeros(left);
            uses[bit]--;
            if (uses[bit] == 0) {
                unused.add(bit);
            }
        }
    }

    private void assign(int bit, NodeCondition condition) {
        NodeCondition former = conditions[bit];
        if (former != null) {
            bits.remove(former);
        }
        bits.put(condition, bit);
        conditions[bit] = condition;
        assigned |= 1L << bit;
        nameBits = condition.needsName() ? nameBits | 1L << bit : nameBits & ~(1L << bit);
        evaluations.values().forEach(evaluation -> evaluation.evaluated &= ~(1L << bit));
        changed = true;
    }

    /** Returns whether this mask has the bits of all these conditions. */
    boolean areIn(long mask, List<NodeCondition> needed) {
        for (NodeCondition condition : needed) {
            Integer bit = bits.get(condition);
            if (bit == null || (mask & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns, and resets, whether conditions got a bit, so that the masks of nodes must be computed again. */
    boolean takeChanged() {
        boolean taken = changed;
        changed = false;
        return taken;
    }

    /** Forgets the masks of labels and taints that nodes had earlier, if there are many. */
    void nodesChanged(int nodes) {
        if (evaluations.size() > 2 * nodes) {
            evaluations.clear();
        }
    }

    /** Returns a mask with the bits of the conditions that the node meets. */
    long maskOf(Node node) {
        Evaluation shared =
                evaluations.computeIfAbsent(new LabelsAndTaints(node.labels(), node.taints()), key -> new Evaluation());
        long missing = assigned & ~nameBits & ~shared.evaluated;
        shared.met = (shared.met & shared.evaluated) | met(node, missing);
        shared.evaluated |= missing;
        return (shared.met & ~nameBits) | met(node, nameBits);
    }

    private long met(Node node, long among) {
        long met = 0;
        for (long left = among; left != 0; left &= left - 1) {
            int bit = Long.numberOfTrailingZeros(left);
            NodeCondition condition = conditions[bit];
            if (condition != null && condition.isMetBy(node)) {
                met |= 1L << bit;
            }
        }
        return met;
    }
}
