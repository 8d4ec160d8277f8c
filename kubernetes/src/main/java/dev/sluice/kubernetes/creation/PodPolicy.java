package dev.sluice.kubernetes.creation;

import java.time.Duration;
import java.util.Set;

/**
 * Which pods are created for tasks.
 *
 * @param namespace their namespace
 * @param schedulerName the name of this scheduler, by which it recognizes them
 * @param serviceAccounts the service accounts that tasks may use; without one, pods have no token
 * @param unrestricted whether tasks may use fields that give access to nodes and their other pods
 * @param keep how long pods are kept after their end
 */
public record PodPolicy(
        String namespace, String schedulerName, Set<String> serviceAccounts, boolean unrestricted, Duration keep) {

    /** The default of {@code keep}. */
    public static final Duration KEEP_DEFAULT = Duration.ofMinutes(10);

    /** Throws {@link IllegalArgumentException} if a name is empty, or the time negative. */
    public PodPolicy {
        serviceAccounts = Set.copyOf(serviceAccounts);
        if (namespace.isEmpty() || schedulerName.isEmpty() || keep.isNegative()) {
            throw new IllegalArgumentException(
                    "namespace " + namespace + ", scheduler name " + schedulerName + ", keep " + keep);
        }
    }

    /** Returns a policy without service accounts, with restrictions, and the default time. */
    public static PodPolicy of(String namespace, String schedulerName) {
        return new PodPolicy(namespace, schedulerName, Set.of(), false, KEEP_DEFAULT);
    }
}
