/**
 * Sluice beside other schedulers in Java: how many tasks each places in a second of processor time, in one JVM, in turns.
 *
 * <p>{@link dev.sluice.benchmarks.rivals.RivalsBenchmark} measures. {@code FenzoCluster} drives Fenzo, with {@code FenzoLease} for a
 * node and {@code FenzoTask} for a task. {@code YarnCluster} drives YARN's CapacityScheduler without its resource manager: {@code
 * YarnNode} is a node, {@code YarnContext} what the scheduler needs around it, {@code Stubs} what it asks about applications.
 * {@code benchmarks/rivals/run} builds and runs all that; what is compared, and where that is unfair, is told in {@code
 * benchmarks/README.md}.
 */
package dev.sluice.benchmarks.rivals;
