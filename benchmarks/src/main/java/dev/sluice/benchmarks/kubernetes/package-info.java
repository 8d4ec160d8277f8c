/**
 * Measures Sluice beside kube-scheduler on one API server: {@link
 * dev.sluice.benchmarks.kubernetes.KubernetesBenchmark}.
 */
package dev.sluice.benchmarks.kubernetes;
