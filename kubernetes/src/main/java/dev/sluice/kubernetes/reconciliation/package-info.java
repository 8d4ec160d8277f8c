/**
 * Makes the state of the scheduler follow a Kubernetes cluster. The API server is the truth about nodes and pods; the
 * journal about decisions.
 *
 * <p>{@link dev.sluice.kubernetes.reconciliation.ClusterView} is what is known of the cluster,
 * {@link dev.sluice.kubernetes.reconciliation.Reconciler} compares it with the state and returns the commands that
 * remove the difference. It depends on nothing but these two, so the same code handles a single change, a restart and a
 * watch that was broken for a while. Executing its commands twice changes nothing more.
 * {@link dev.sluice.kubernetes.reconciliation.GangPlaces} says which pods take the places of a gang.
 */
package dev.sluice.kubernetes.reconciliation;
