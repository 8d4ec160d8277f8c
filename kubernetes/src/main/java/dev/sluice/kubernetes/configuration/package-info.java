/**
 * The configuration of partitions and queues from config maps of the cluster; begin with
 * {@link dev.sluice.kubernetes.configuration.ClusterConfiguration}. Pure functions: whoever watches the config maps
 * applies the result, or reports why it is refused.
 */
package dev.sluice.kubernetes.configuration;
