/**
 * Measurements that are compared: all of them in one JVM, in turns, so that what disturbs the machine disturbs all alike.
 *
 * <p>A {@link dev.sluice.benchmarks.rounds.Variant} prepares a {@link dev.sluice.benchmarks.rounds.Variant.Work}, unmeasured,
 * which is then measured once; {@link dev.sluice.benchmarks.rounds.Rounds} does that with every contender in every round and tells
 * medians and ratios, each as a {@link dev.sluice.benchmarks.rounds.Quantiles}.
 */
package dev.sluice.benchmarks.rounds;
