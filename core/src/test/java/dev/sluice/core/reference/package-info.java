/**
 * The reference implementation of a cycle: simple and slow. It sorts every list again at every step and scans every
 * node.
 *
 * <p>{@link dev.sluice.core.reference.ReferenceCycle} copies a partition into plain objects and returns the expected
 * events of a cycle: {@link dev.sluice.core.reference.ReferenceExpiry} computes what is due,
 * {@link dev.sluice.core.reference.ReferenceCycleOpening} the opening,
 * {@link dev.sluice.core.reference.ReferenceDivision} the starts and preemptions of load classes, and
 * {@link dev.sluice.core.reference.ReferenceUsage} slices and random draws; the cycle itself places tasks. It shares no
 * code with the packages {@code schedule}, {@code share} and {@code rank}. {@code RandomClusterTest} compares it with
 * the engine on the random clusters of {@link dev.sluice.core.reference.RandomCluster}.
 */
package dev.sluice.core.reference;
