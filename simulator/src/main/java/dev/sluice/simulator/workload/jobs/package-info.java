/**
 * Job files as workloads: the files of {@code sluice run}, with a duration for each task.
 *
 * <p>{@link dev.sluice.simulator.workload.jobs.JobFileWorkload} is made of what
 * {@link dev.sluice.config.snapshot.JobFileReader#readWorkload} has read.
 */
package dev.sluice.simulator.workload.jobs;
