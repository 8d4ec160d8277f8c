/**
 * Measures the main figures of the engine, compares them with their limits and draws a chart.
 *
 * <p>A {@code Row} measures a few related {@code Line}s, each with quantiles and an optional {@code Bound}, from which
 * its {@code Verdict} follows. {@code Rows} lists all rows. {@link dev.sluice.benchmarks.table.TableBenchmark} measures
 * each in a separate JVM and writes the {@code Table}; {@link dev.sluice.benchmarks.table.SmallTable} measures only
 * machine-independent figures, quickly, and can fail. The clusters are {@link dev.sluice.benchmarks.BenchmarkCluster}s:
 * {@code BusyCluster} is partly used, {@code ManyClassesCluster} is full. {@code SpeedPlot} selects the rates of a
 * table and {@code BarPlot} draws them.
 */
package dev.sluice.benchmarks.table;
