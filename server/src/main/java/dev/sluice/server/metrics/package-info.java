/**
 * Prometheus metrics. {@link dev.sluice.server.metrics.ServerMetrics} measures the server;
 * {@link dev.sluice.server.metrics.ClusterGauges} counts nodes, applications and tasks on request.
 */
package dev.sluice.server.metrics;
