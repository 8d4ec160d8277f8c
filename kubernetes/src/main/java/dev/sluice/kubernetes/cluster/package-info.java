/**
 * Connects the engine with a Kubernetes cluster; begin with {@link dev.sluice.kubernetes.cluster.KubernetesCluster}.
 *
 * <p>Watches deliver descriptions of nodes, pods and namespaces ({@code ClusterWatch}); the latest of each waits in
 * {@code ClusterChanges} until a transaction of the engine takes it over into the view of the cluster, compares what
 * has changed with the state, and executes the commands that remove the difference. What the API server has to do is
 * requested when that transaction is durable. Outcomes of requests arrive like other changes.
 */
package dev.sluice.kubernetes.cluster;
