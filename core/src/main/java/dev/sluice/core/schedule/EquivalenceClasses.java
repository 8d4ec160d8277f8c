package dev.sluice.core.schedule;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shapes of the tasks that are pending in a partition, each once. */
final class EquivalenceClasses {

    private static final int LABEL_BITS = 64;

    private final Map<EquivalenceClass.Key, EquivalenceClass> equivalenceClasses = new LinkedHashMap<>();
    private final Map<Map.Entry<String, String>, Integer> labelBits = new HashMap<>();
    private boolean labelsChanged;

    /** The shape of these tasks. */
    EquivalenceClass intern(TaskGroup group) {
        TaskKind kind = group.kind();
        EquivalenceClass.Key key =
                new EquivalenceClass.Key(kind.resources(), kind.priority(), kind.requiredLabels(), kind.requiredNode());
        return equivalenceClasses.computeIfAbsent(key, k -> new EquivalenceClass(k, group.demand(), maskOfRequired(k)));
    }

    /** All of them, in the order in which they came into use. */
    List<EquivalenceClass> all() {
        return List.copyOf(equivalenceClasses.values());
    }

    /** Counts one more backlog of this shape. */
    void use(EquivalenceClass equivalenceClass) {
        equivalenceClass.uses++;
    }

    /** Counts one backlog less of this shape. */
    void release(EquivalenceClass equivalenceClass) {
        equivalenceClass.uses--;
        if (equivalenceClass.uses == 0) {
            equivalenceClasses.remove(equivalenceClass.key);
        }
    }

    /** Whether labels were met that the masks of nodes do not show yet; asking makes it false. */
    boolean takeLabelsChanged() {
        boolean changed = labelsChanged;
        labelsChanged = false;
        return changed;
    }

    /** A bit for every label of the node that some shape requires. */
    long maskOf(Node node) {
        long mask = 0;
        if (!labelBits.isEmpty()) {
            for (Map.Entry<String, String> label : node.labels().entrySet()) {
                Integer bit = labelBits.get(Map.entry(label.getKey(), label.getValue()));
                if (bit != null) {
                    mask |= 1L << bit;
                }
            }
        }
        return mask;
    }

    /** A bit for every label that is required. When the bits are used up a label goes without: nodes are then looked at one by one. */
    private long maskOfRequired(EquivalenceClass.Key key) {
        long mask = 0;
        for (Map.Entry<String, String> label : key.labels().entrySet()) {
            Map.Entry<String, String> pair = Map.entry(label.getKey(), label.getValue());
            Integer bit = labelBits.get(pair);
            if (bit == null && labelBits.size() < LABEL_BITS) {
                bit = labelBits.size();
                labelBits.put(pair, bit);
                labelsChanged = true;
            }
            if (bit != null) {
                mask |= 1L << bit;
            }
        }
        return mask;
    }
}
