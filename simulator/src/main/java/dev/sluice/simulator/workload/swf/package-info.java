/**
 * Logs in the Standard Workload Format.
 *
 * <p>{@link dev.sluice.simulator.workload.swf.SwfWorkload} is a log; {@code SwfHeaderReader} reads the comments at its head,
 * {@code SwfArrivals} its jobs, line by line: {@code SwfLine} finds the columns and makes numbers of them, {@code SwfInternCache} keeps what
 * jobs have in common. {@code docs/guides/workloads.md} tells what becomes of the
 * columns.
 */
package dev.sluice.simulator.workload.swf;
