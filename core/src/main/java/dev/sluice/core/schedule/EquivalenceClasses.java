package dev.sluice.core.schedule;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The equivalence classes of the tasks that are pending in a partition. Each class is one object, so classes are
 * compared by identity.
 */
final class EquivalenceClasses {

    private static final int LABEL_BITS = 64;

    private final Map<EquivalenceClass.Key, EquivalenceClass> equivalenceClasses = new LinkedHashMap<>();
    private final Map<Map.Entry<String, String>, Integer> labelBits = new HashMap<>();
    private boolean labelsChanged;

    /** Returns the equivalence class of the tasks of a group. */
    EquivalenceClass intern(TaskGroup group) {
        TaskKind kind = group.kind();
        EquivalenceClass.Key key =
                new EquivalenceClass.Key(kind.resources(), kind.priority(), kind.requiredLabels(), kind.requiredNode());
        return equivalenceClasses.computeIfAbsent(key, k -> new EquivalenceClass(k, group.demand(), maskOfRequired(k)));
    }

    /** Returns all classes in use, in the order in which they were first used. */
    List<EquivalenceClass> all() {
        return List.copyOf(equivalenceClasses.values());
    }

    /** Adds one backlog to the number of uses. */
    void use(EquivalenceClass equivalenceClass) {
        equivalenceClass.uses++;
    }

    /** Subtracts one backlog from the number of uses; forgets an unused class. */
    void release(EquivalenceClass equivalenceClass) {
        equivalenceClass.uses--;
        if (equivalenceClass.uses == 0) {
            equivalenceClasses.remove(equivalenceClass.key);
        }
    }

    /**
     * Returns, and resets, whether new labels were assigned a bit, so that the masks of nodes must be computed again.
     */
    boolean takeLabelsChanged() {
        boolean changed = labelsChanged;
        labelsChanged = false;
        return changed;
    }

    /** Returns a mask with a bit for each label of the node that some class requires. */
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

    /**
     * Returns a mask with a bit for each required label. Labels beyond the {@value #LABEL_BITS} bits have none: nodes
     * are then checked one by one.
     */
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
