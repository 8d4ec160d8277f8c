package dev.sluice.core.application;

import java.util.List;

/**
 * Which nodes a task requires and prefers. Only placement takes notice of it: tasks that run stay where they are.
 *
 * @param required terms of which a node must match at least one; none permits every node
 * @param preferred preferences, which are added up
 */
public record NodeAffinity(List<NodeSelectorTerm> required, List<NodePreference> preferred) {

    /** Neither requires nor prefers anything. */
    public static final NodeAffinity NONE = new NodeAffinity(List.of(), List.of());

    /** The maximum number of terms, conditions of a term or values of a condition. */
    public static final int SIZE_MAX = 1_000;

    /** The maximum number of preferences, each of which is evaluated for every node. */
    public static final int PREFERENCES_MAX = 100;

    public NodeAffinity {
        required = List.copyOf(required);
        preferred = List.copyOf(preferred);
    }

    /** Returns whether it neither requires nor prefers anything. */
    public boolean isEmpty() {
        return required.isEmpty() && preferred.isEmpty();
    }
}
