/**
 * Measures the table of the engine's figures, judges them and draws a picture.
 *
 * <p>A {@code Row} measures a few {@code Line}s that belong together, each a spread with the {@code Bound} that is asked of it, from
 * which its {@code Verdict} follows. {@code Rows} lists them; {@link dev.sluice.benchmarks.table.TableBenchmark} measures each in a JVM
 * of its own and writes the {@code Table}; {@link dev.sluice.benchmarks.table.SmallTable} measures only what does not depend on the
 * machine, quickly, and can fail. The clusters are {@link dev.sluice.benchmarks.BenchmarkCluster}s: {@code BusyCluster} is one in use,
 * {@code ManyClassesCluster} one in which nothing fits. {@code SpeedPlot} picks speeds out of a table and {@code BarPlot} draws them.
 */
package dev.sluice.benchmarks.table;
