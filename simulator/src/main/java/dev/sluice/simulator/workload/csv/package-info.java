/**
 * Reads workloads and nodes from files of delimiter-separated values, whose columns a mapping file describes.
 *
 * <p>{@link dev.sluice.simulator.workload.csv.CsvWorkload} and {@link dev.sluice.simulator.workload.csv.CsvNodes} are
 * the entry points. {@code MappingFile} reads the mapping. {@code SourceReader} reads its sources and knows the columns
 * of the table, so that an unknown column is a problem of the mapping, with line and column. The result is a
 * {@code TextSource}, an {@code AmountSource}, a {@code TimeSource}, a {@code DurationSource}, a {@code LabelSource} or
 * an {@code ExclusionRule}: each computes its value from a row of {@code CsvRows}, or records there what is wrong with
 * the row.
 */
package dev.sluice.simulator.workload.csv;
