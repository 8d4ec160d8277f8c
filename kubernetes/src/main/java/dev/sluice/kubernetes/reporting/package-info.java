/**
 * What users of Kubernetes see of decisions, in the words of {@code sluice why}.
 *
 * <ul>
 *   <li>{@link dev.sluice.kubernetes.reporting.PendingReasons} computes from the state why each pod waits.
 *   <li>{@link dev.sluice.kubernetes.reporting.PodConditions} writes it to the status of the pods.
 *   <li>{@link dev.sluice.kubernetes.reporting.PodEvents} creates events.
 * </ul>
 *
 * <p>Both writers return at once, send a limited number of requests per second, and drop or delay what is more.
 */
package dev.sluice.kubernetes.reporting;
