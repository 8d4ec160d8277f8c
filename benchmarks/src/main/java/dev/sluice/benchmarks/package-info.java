/**
 * Measures the engine: its figures in {@link dev.sluice.benchmarks.table}, and pieces of it with JMH.
 *
 * <p>{@link dev.sluice.benchmarks.CycleBenchmark} measures whole cycles over clusters that {@code BenchmarkCluster} builds,
 * {@link dev.sluice.benchmarks.LoadCycleBenchmark} cycles over load classes in a {@code LoadBenchmarkCluster} that is kept full.
 * {@code benchmarks/run} runs them and writes {@code benchmarks/results}.
 */
package dev.sluice.benchmarks;
