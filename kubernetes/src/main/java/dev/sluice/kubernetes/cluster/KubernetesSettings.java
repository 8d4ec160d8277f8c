package dev.sluice.kubernetes.cluster;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.kubernetes.creation.PodPolicy;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How pods are scheduled.
 *
 * @param partition the partition that contains the nodes of the cluster
 * @param schedulers the values of {@code schedulerName} of the pods to schedule
 * @param namespace the namespace of the configuration; null for that of the client
 * @param instance the name of this server among several, for events
 * @param requests the maximum number of bindings, and of ends of pods, that are requested at a time
 * @param pods which pods are created for tasks; null for none
 */
public record KubernetesSettings(
        String partition,
        Set<String> schedulers,
        @Nullable String namespace,
        String instance,
        int requests,
        @Nullable PodPolicy pods) {

    /** The name of the scheduler, unless another one is given. */
    public static final String SCHEDULER_DEFAULT = "sluice";

    /** The default of {@code requests}. */
    public static final int REQUESTS_DEFAULT = 32;

    /** The settings for pods that name the scheduler {@code sluice}. */
    public static final KubernetesSettings DEFAULT = new KubernetesSettings(
            PartitionConfiguration.DEFAULT_NAME,
            Set.of(SCHEDULER_DEFAULT),
            null,
            SCHEDULER_DEFAULT,
            REQUESTS_DEFAULT,
            null);

    /** Throws {@link IllegalArgumentException} if there is no scheduler name, or no request may be sent. */
    public KubernetesSettings {
        schedulers = Set.copyOf(schedulers);
        if (schedulers.isEmpty() || requests < 1) {
            throw new IllegalArgumentException("schedulers " + schedulers + ", requests " + requests);
        }
    }

    /** Returns settings with these pods for tasks. */
    public KubernetesSettings withPods(PodPolicy newPods) {
        return new KubernetesSettings(partition, schedulers, namespace, instance, requests, newPods);
    }
}
