/**
 * Reads logs in the Standard Workload Format.
 *
 * <p>{@link dev.sluice.simulator.workload.swf.SwfWorkload} is a log; {@code SwfHeaderReader} reads the header comments,
 * {@code SwfArrivals} reads the jobs line by line: {@code SwfLine} parses the columns, {@code SwfInternCache} holds the
 * values that jobs share. {@code docs/guides/workloads.md} describes the mapping of the columns.
 */
package dev.sluice.simulator.workload.swf;
