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
 * @param startTimeout how long a pod that cannot start, for example because of its image, may wait before its run fails
 * @param keep how long pods are kept after their end
 */
public record PodPolicy(
        String namespace,
        String schedulerName,
        Set<String> serviceAccounts,
        boolean unrestricted,
        Duration startTimeout,
        Duration keep) {

    /** The default of {@code startTimeout}. */
    public static final Duration START_TIMEOUT_DEFAULT = Duration.ofMinutes(5);

    /** The default of {@code keep}. */
    public static final Duration KEEP_DEFAULT = Duration.ofMinutes(10);

    /** Throws {@link IllegalArgumentException} if a name is empty, or a time negative. */
    public PodPolicy {
        serviceAccounts = Set.copyOf(serviceAccounts);
        if (namespace.isEmpty() || schedulerName.isEmpty() || startTimeout.isNegative() || keep.isNegative()) {
            throw new IllegalArgumentException("namespace " + namespace + ", scheduler name " + schedulerName
                    + ", start timeout " + startTimeout + ", keep " + keep);
        }
    }

    /** Returns a policy without service accounts, with restrictions, and the default times. */
    public static PodPolicy of(String namespace, String schedulerName) {
        return new PodPolicy(namespace, schedulerName, Set.of(), false, START_TIMEOUT_DEFAULT, KEEP_DEFAULT);
    }
}
