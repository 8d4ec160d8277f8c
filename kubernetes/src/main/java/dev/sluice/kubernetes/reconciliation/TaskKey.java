package dev.sluice.kubernetes.reconciliation;

/**
 * The task of a pod.
 *
 * @param application the id of its application
 * @param task its name, unique in the application; of a gang, the place, see {@link GangPlaces#place}
 */
public record TaskKey(String application, String task) {}
