/**
 * Compares Sluice with other schedulers in Java: the tasks that each places per second of processor time, alternating
 * in one JVM.
 *
 * <p>{@link dev.sluice.benchmarks.rivals.RivalsBenchmark} is the main class. {@code FenzoCluster} drives Fenzo, with a
 * {@code FenzoLease} per node and a {@code FenzoTask} per task. {@code YarnCluster} drives YARN's CapacityScheduler
 * without its resource manager: {@code YarnNode} is a node, {@code YarnContext} the context of the scheduler, and
 * {@code Stubs} replaces application state. {@code benchmarks/rivals/run} builds and runs the comparison;
 * {@code benchmarks/README.md} describes what is compared and its limits.
 */
package dev.sluice.benchmarks.rivals;
