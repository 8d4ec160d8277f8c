/**
 * Measures a simulation and aggregates the results.
 *
 * <p>{@link dev.sluice.simulator.measure.Measurements} is notified of every change of applications and tasks, and
 * samples the cluster at equal intervals. Task events are counted per leaf queue, user and size ({@code TaskTally},
 * {@code Histogram}). Quantities over time are kept in a fixed number of points ({@code TimeSeriesSampler}): due shares
 * of the queues ({@code DueShares}), free capacity by reason ({@code FreeCapacity}) and loans between load classes
 * ({@code Loans}).
 */
package dev.sluice.simulator.measure;
