/**
 * Results of simulations as plain data, in seconds, fractions and base units, for tables, JSON and reports.
 *
 * <p>A {@link dev.sluice.simulator.figures.Comparison} holds the runs of several configurations on one workload. Each
 * {@link dev.sluice.simulator.figures.RunFigures} has the overall figures, those of every queue and every user, and
 * series over time ({@link dev.sluice.simulator.figures.TimeAxis}). {@link dev.sluice.simulator.figures.Definition}
 * defines every figure and names its source.
 */
package dev.sluice.simulator.figures;
