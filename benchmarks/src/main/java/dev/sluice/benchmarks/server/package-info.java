/** Measures a server from outside: {@link dev.sluice.benchmarks.server.SubmissionBenchmark}. */
package dev.sluice.benchmarks.server;
