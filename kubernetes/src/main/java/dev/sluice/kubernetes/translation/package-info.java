/**
 * What nodes, pods and namespaces of Kubernetes mean to the scheduler. Pure functions: no request, no clock, no state.
 *
 * <ul>
 *   <li>{@link dev.sluice.kubernetes.translation.NodeTranslation}: capacity, labels and taints of a node.
 *   <li>{@link dev.sluice.kubernetes.translation.PodTranslation}: the task and the application of a pod, or why it is
 *       refused. Its parts are {@link dev.sluice.kubernetes.translation.PodIdentity} (whose it is and where it
 *       belongs), {@link dev.sluice.kubernetes.translation.PodRequests} (resources),
 *       {@link dev.sluice.kubernetes.translation.PodConstraints} (nodes on which it may run) and
 *       {@link dev.sluice.kubernetes.translation.PodVolumes} (those that its claims permit).
 *   <li>{@link dev.sluice.kubernetes.translation.GangAnnotations}: task groups of YuniKorn as a gang.
 *   <li>{@link dev.sluice.kubernetes.translation.NamespaceSettings}: quotas and parent queue of a namespace.
 * </ul>
 *
 * <p>What the scheduler cannot honour is refused with a reason, never ignored.
 */
package dev.sluice.kubernetes.translation;
