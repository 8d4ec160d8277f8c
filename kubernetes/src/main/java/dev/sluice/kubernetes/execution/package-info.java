/**
 * Carries out decisions about pods: {@link dev.sluice.kubernetes.execution.RunReconciler} compares allocated tasks with
 * their pods and returns reports about runs for the scheduler, and requests for the API server. Like the comparison of
 * nodes and applications it depends on nothing but what is known of the cluster and the state, so that a single change,
 * a restart and a broken watch are the same to it. {@link dev.sluice.kubernetes.execution.PodObstacles} says why pods
 * cannot start at present.
 */
package dev.sluice.kubernetes.execution;
