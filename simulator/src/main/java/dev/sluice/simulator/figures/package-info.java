/**
 * What simulations come to: plain data, in seconds, fractions and base units, for tables, JSON and pages.
 *
 * <p>A {@link dev.sluice.simulator.figures.Comparison} holds the runs of several configurations on one workload. Each
 * {@link dev.sluice.simulator.figures.RunFigures} has the figures of everything together, of every queue and of every user, and how
 * things went over time ({@link dev.sluice.simulator.figures.TimeAxis}). Every definition with its source is in
 * {@link dev.sluice.simulator.figures.Definition}.
 */
package dev.sluice.simulator.figures;
