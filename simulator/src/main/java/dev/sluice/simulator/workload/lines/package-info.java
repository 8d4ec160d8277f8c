/**
 * Reads files of lines from untrusted sources: {@link dev.sluice.simulator.workload.lines.LineReader} returns
 * decompressed lines of bounded length, {@link dev.sluice.simulator.workload.lines.MalformedLineCounter} counts
 * malformed lines, {@link dev.sluice.simulator.workload.lines.LongSet} detects duplicate numbers, and
 * {@link dev.sluice.simulator.workload.lines.InternCache} shares values that many lines have in common.
 */
package dev.sluice.simulator.workload.lines;
