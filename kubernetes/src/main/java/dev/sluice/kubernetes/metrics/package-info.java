/**
 * Counts what kube-scheduler measures, too, where it means the same here, so that existing dashboards and alerts work.
 * {@link dev.sluice.kubernetes.metrics.PodScheduling} counts pods, {@link dev.sluice.kubernetes.metrics.RequestCounter}
 * requests; {@link dev.sluice.kubernetes.metrics.ClusterMetrics} publishes both.
 */
package dev.sluice.kubernetes.metrics;
