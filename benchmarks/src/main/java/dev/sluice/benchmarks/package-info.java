/**
 * Measures the engine: its main figures in {@link dev.sluice.benchmarks.table}, and single operations with JMH.
 *
 * <p>{@link dev.sluice.benchmarks.CycleBenchmark} measures cycles of a {@code BenchmarkCluster},
 * {@link dev.sluice.benchmarks.LoadCycleBenchmark} cycles over load classes in a full {@code LoadBenchmarkCluster}.
 * {@code benchmarks/run} runs them and writes {@code benchmarks/results}.
 */
package dev.sluice.benchmarks;
