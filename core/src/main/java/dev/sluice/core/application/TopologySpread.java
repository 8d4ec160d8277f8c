package dev.sluice.core.application;

import org.jspecify.annotations.Nullable;

/**
 * How evenly tasks are spread over the domains of a topology; what Kubernetes calls a topology spread constraint.
 *
 * <p>The skew of a domain is the number of selected tasks there, the new one included if it is selected, minus the
 * smallest number in any domain.
 *
 * @param maxSkew the maximum skew, at least 1
 * @param topologyKey the key of the topology
 * @param required whether a task waits rather than exceed the maximum ({@code DoNotSchedule}); otherwise nodes that
 *     exceed it least are preferred ({@code ScheduleAnyway})
 * @param selector which tasks count, of any application of the partition
 * @param minDomains as long as there are fewer domains, the smallest number counts as 0; at least 1
 * @param honorAffinity whether only nodes that match node selector and node affinity of the task count
 * @param honorTaints whether nodes with a taint that excludes the task do not count
 */
public record TopologySpread(
        int maxSkew,
        String topologyKey,
        boolean required,
        LabelSelector selector,
        int minDomains,
        boolean honorAffinity,
        boolean honorTaints) {

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public TopologySpread {
        TaskTerm.requireKey(topologyKey);
        String problem = problem(maxSkew, required, minDomains);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** Returns what is wrong with these values, or null. */
    public static @Nullable String problem(int maxSkew, boolean required, int minDomains) {
        if (maxSkew < 1) {
            return "maxSkew must be at least 1";
        }
        if (minDomains < 1) {
            return "minDomains must be at least 1";
        }
        return minDomains > 1 && !required ? "minDomains needs whenUnsatisfiable: DoNotSchedule" : null;
    }

    /** Returns a required one with the defaults of Kubernetes. */
    public static TopologySpread of(int maxSkew, String topologyKey, LabelSelector selector) {
        return new TopologySpread(maxSkew, topologyKey, true, selector, 1, true, false);
    }
}
