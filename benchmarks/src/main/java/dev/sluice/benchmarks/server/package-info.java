/** Measures a server with an external client: {@link dev.sluice.benchmarks.server.SubmissionBenchmark}. */
package dev.sluice.benchmarks.server;
