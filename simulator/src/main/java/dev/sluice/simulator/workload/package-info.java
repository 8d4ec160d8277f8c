/**
 * Workloads: what is submitted in a simulation, and when.
 *
 * <p>A {@link dev.sluice.simulator.workload.Workload} can be read any number of times. An
 * {@link dev.sluice.simulator.workload.ArrivalStream} returns one {@link dev.sluice.simulator.workload.Arrival} after
 * the other: an application and the run times of its tasks. Malformed lines are skipped and counted in
 * {@link dev.sluice.simulator.workload.MalformedLines}.
 *
 * <p>{@link dev.sluice.simulator.workload.WorkloadFile} selects the reader of a file: {@code swf} reads logs,
 * {@code csv} reads tables, both based on {@code lines}; {@code jobs} reads job files and {@code synthetic} generates
 * workloads. {@link dev.sluice.simulator.workload.WorkloadStatistics} summarizes a workload, and
 * {@link dev.sluice.simulator.workload.SortedWorkload} sorts one whose file is not in order of submission.
 */
package dev.sluice.simulator.workload;
