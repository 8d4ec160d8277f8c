package dev.sluice.core.application;

import java.util.List;

/**
 * Which tasks a task must or should be beside, or apart from; what Kubernetes calls pod affinity and pod
 * anti-affinity. Only placement takes notice of it: tasks that run stay where they are.
 *
 * @param required terms that must hold together
 * @param preferred preferences, whose weights are added up
 */
public record TaskAffinity(List<TaskTerm> required, List<TaskPreference> preferred) {

    /** Neither requires nor prefers anything. */
    public static final TaskAffinity NONE = new TaskAffinity(List.of(), List.of());

    /** Copies the lists. */
    public TaskAffinity {
        required = List.copyOf(required);
        preferred = List.copyOf(preferred);
    }

    /** Returns whether it neither requires nor prefers anything. */
    public boolean isEmpty() {
        return required.isEmpty() && preferred.isEmpty();
    }
}
