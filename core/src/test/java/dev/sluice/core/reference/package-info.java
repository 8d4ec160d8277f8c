/**
 * The cycle once more, as plainly as DESIGN.md says it: every list is sorted anew at every step and every node is looked at.
 *
 * <p>{@link dev.sluice.core.reference.PlainCycle} copies a partition into plain objects and tells what a cycle should do. It shares
 * no code with the packages {@code schedule}, {@code share} and {@code rank}. {@code RandomClusterTest} compares the two on random
 * clusters, which {@link dev.sluice.core.reference.RandomCluster} makes.
 */
package dev.sluice.core.reference;
