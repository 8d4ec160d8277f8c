package dev.sluice.core.application;

/**
 * Tasks in a topology domain; what Kubernetes calls a pod affinity term. It matches a node if a task that it selects
 * is allocated in the domain of the node.
 *
 * @param selector which tasks, of any application of the partition
 * @param topologyKey the key of the topology
 */
public record TaskTerm(LabelSelector selector, String topologyKey) {

    /** Throws {@link IllegalArgumentException} if the key is empty. */
    public TaskTerm {
        requireKey(topologyKey);
    }

    static void requireKey(String topologyKey) {
        if (topologyKey.isEmpty()) {
            throw new IllegalArgumentException("a topologyKey must not be empty");
        }
    }

    /** Returns the domain and the tasks, such as "of zone: app in (web)". */
    @Override
    public String toString() {
        return topologyKey + ": " + selector;
    }
}
