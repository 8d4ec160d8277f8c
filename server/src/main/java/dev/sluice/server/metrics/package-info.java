/**
 * Figures for Prometheus. {@link dev.sluice.server.metrics.ServerMetrics} measures the server while it works;
 * {@link dev.sluice.server.metrics.ClusterGauges} counts what is in the cluster, when somebody asks.
 */
package dev.sluice.server.metrics;
