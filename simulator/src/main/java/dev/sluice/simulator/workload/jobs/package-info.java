/**
 * Reads job files as workloads: the files of {@code sluice run}, with a duration for each task.
 *
 * <p>{@link dev.sluice.simulator.workload.jobs.JobFileWorkload} is based on
 * {@link dev.sluice.config.snapshot.JobFileReader#readWorkload}.
 */
package dev.sluice.simulator.workload.jobs;
