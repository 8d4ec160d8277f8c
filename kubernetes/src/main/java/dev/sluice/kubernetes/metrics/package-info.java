/**
 * Counts what kube-scheduler measures, too, where it means the same here, so that existing dashboards and alerts work.
 * {@link dev.sluice.kubernetes.metrics.PodScheduling} counts pods, {@link dev.sluice.kubernetes.metrics.Preemptions}
 * preemptions; both pass it to a {@link dev.sluice.kubernetes.metrics.SchedulingListener}.
 */
package dev.sluice.kubernetes.metrics;
