/**
 * Work that is made up: arrivals, users, sizes and durations are drawn from distributions that a file names.
 *
 * <p>{@link dev.sluice.simulator.workload.synthetic.SyntheticWorkload} reads such a file into a {@code SyntheticSpec}: how often something is
 * submitted ({@code ArrivalRate}, with a {@code DailyCycle}), what kinds of work there are ({@code ApplicationKind}) and who submits it
 * ({@code UserEntry}). {@code SyntheticStream} follows the recipe; it keeps nothing but where it is.
 *
 * <p>Values come from a {@code Distribution}, numbers by lot from {@code RandomStream}: the same seed gives the same workload wherever it runs.
 * The language is described in {@code docs/guides/workloads.md}.
 */
package dev.sluice.simulator.workload.synthetic;
