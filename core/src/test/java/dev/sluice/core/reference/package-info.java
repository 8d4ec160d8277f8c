/**
 * The cycle once more, as plainly as DESIGN.md says it: every list is sorted anew at every step and every node is looked at.
 *
 * <p>{@link dev.sluice.core.reference.ReferenceCycle} copies a partition into plain objects and tells what a cycle should do:
 * {@link dev.sluice.core.reference.ReferenceExpiry} what is due, {@link dev.sluice.core.reference.ReferenceCycleOpening} what is stopped to
 * rebalance, how many tasks every class starts ({@link dev.sluice.core.reference.ReferenceDivision}) and what slices and lots queues that share by
 * usage get ({@link dev.sluice.core.reference.ReferenceUsage}), the cycle itself what is placed. It
 * shares no code with the packages {@code schedule}, {@code share} and {@code rank}. {@code RandomClusterTest} compares the two on
 * random clusters, which {@link dev.sluice.core.reference.RandomCluster} makes.
 */
package dev.sluice.core.reference;
