/**
 * Generates synthetic workloads: arrivals, users, sizes and durations are drawn from distributions that a file
 * specifies.
 *
 * <p>{@link dev.sluice.simulator.workload.synthetic.SyntheticWorkload} reads such a file into a {@code SyntheticSpec}:
 * the arrival rate ({@code ArrivalTimes}, with a {@code DailyCycle}), the kinds of applications
 * ({@code ApplicationKind}) and the users ({@code UserEntry}). {@code SyntheticStream} generates the applications and
 * keeps only its current position.
 *
 * <p>Values are drawn from a {@code Distribution}, random numbers from a {@code RandomStream}: the same seed gives the
 * same workload on every platform. The file format is described in {@code docs/guides/workloads.md}.
 */
package dev.sluice.simulator.workload.synthetic;
