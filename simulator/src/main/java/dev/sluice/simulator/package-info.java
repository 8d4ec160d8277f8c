/**
 * Tries a configuration on work as it was or might be: the engine runs unchanged, in virtual time.
 *
 * <p>{@code workload} tells what is submitted and when; {@code simulation} runs the engine on it; {@code measure} watches what the engine
 * decides and sums it up; {@code figures} is what comes of it, plain data; {@code report} shows it.
 *
 * <p>{@link dev.sluice.simulator.simulation.Experiment} is where to begin: several configurations on one
 * {@link dev.sluice.simulator.workload.Workload} make a {@link dev.sluice.simulator.figures.Comparison}, which
 * {@link dev.sluice.simulator.report.HtmlReport} and {@link dev.sluice.simulator.report.ComparisonJson} write. The same input gives the same
 * output, byte for byte. {@code docs/guides/plan-and-simulate.md} has a sample, and tells what is simulated and what is not.
 */
package dev.sluice.simulator;
