/**
 * Files of lines as workloads are made of, read without trust: {@link dev.sluice.simulator.workload.lines.LineReader} gives the lines,
 * unpacked and never longer than a bound, {@link dev.sluice.simulator.workload.lines.BrokenLinesTally} counts those that are left
 * out, and {@link dev.sluice.simulator.workload.lines.SeenNumbers} finds numbers that are there twice.
 */
package dev.sluice.simulator.workload.lines;
