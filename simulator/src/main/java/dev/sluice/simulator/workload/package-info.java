/**
 * What is submitted in a simulation, and when.
 *
 * <p>A {@link dev.sluice.simulator.workload.Workload} can be opened again and again; an
 * {@link dev.sluice.simulator.workload.ArrivalStream} then gives one {@link dev.sluice.simulator.workload.Arrival} after the other: an
 * application and how long its tasks will run. Lines that cannot be read are left out and counted in
 * {@link dev.sluice.simulator.workload.MalformedLines}.
 *
 * <p>{@link dev.sluice.simulator.workload.WorkloadFile} finds the reader for a file: {@code swf} reads logs, {@code csv} tables, both by
 * means of {@code lines}. {@link dev.sluice.simulator.workload.WorkloadStatistics} tells what a workload is as a whole, and
 * {@link dev.sluice.simulator.workload.SortedWorkload} sorts one whose file is not in order of submission.
 */
package dev.sluice.simulator.workload;
