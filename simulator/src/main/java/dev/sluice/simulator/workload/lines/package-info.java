/**
 * Files of lines as workloads are made of, read without trust: {@link dev.sluice.simulator.workload.lines.LineReader} gives the lines,
 * unpacked and never longer than a bound, {@link dev.sluice.simulator.workload.lines.MalformedLineCounter} counts those that are left
 * out, {@link dev.sluice.simulator.workload.lines.LongSet} finds numbers that are there twice, and
 * {@link dev.sluice.simulator.workload.lines.InternCache} keeps what many lines have in common.
 */
package dev.sluice.simulator.workload.lines;
