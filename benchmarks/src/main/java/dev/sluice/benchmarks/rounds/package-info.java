/**
 * Comparative measurements: all variants alternate in one JVM, so that disturbances of the machine affect all of them
 * equally.
 *
 * <p>A {@link dev.sluice.benchmarks.rounds.Variant} prepares {@link dev.sluice.benchmarks.rounds.Variant.Work}, which
 * is then measured once; {@link dev.sluice.benchmarks.rounds.Rounds} does this for every variant in every round and
 * returns medians and ratios as {@link dev.sluice.benchmarks.rounds.Quantiles}.
 */
package dev.sluice.benchmarks.rounds;
