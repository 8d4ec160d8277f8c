/**
 * Watches a simulation and sums it up.
 *
 * <p>{@link dev.sluice.simulator.measure.Measurements} is told what happens to applications and tasks, and looks at the cluster at equal
 * distances of time. What happens to tasks is counted per leaf queue, user and size ({@code TaskTally}, {@code Histogram}); what is over time is
 * kept in a fixed number of points ({@code TimeSeriesSampler}): what every queue was due ({@code DueShares}), what was free and why
 * ({@code FreeCapacity}), who lent to whom ({@code Loans}).
 */
package dev.sluice.simulator.measure;
