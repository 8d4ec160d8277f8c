/**
 * Elects one of several servers by a Lease of Kubernetes; begin with
 * {@link dev.sluice.kubernetes.lease.LeaseElection}.
 */
package dev.sluice.kubernetes.lease;
