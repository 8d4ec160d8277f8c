/**
 * Workloads and nodes from files of separated values, whose columns a mapping file explains.
 *
 * <p>{@link dev.sluice.simulator.workload.csv.CsvWorkload} and {@link dev.sluice.simulator.workload.csv.CsvNodes} are what comes of it.
 * {@code MappingFile} reads the mapping; {@code SourceReader} reads where it takes something from, with the names of the table's columns
 * at hand, so that a column that is not there is a problem of the mapping, with line and column. What it read is a {@code TextSource}, an
 * {@code AmountSource}, a {@code TimeSource}, a {@code DurationSource}, a {@code LabelSource} or a {@code ExclusionRule}: each makes its value of
 * a row of {@code CsvRows}, or notes there what is wrong with the row.
 */
package dev.sluice.simulator.workload.csv;
