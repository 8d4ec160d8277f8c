/**
 * Simulates configurations on recorded or synthetic workloads: the unmodified engine runs in virtual time.
 *
 * <p>{@code workload} reads what is submitted and when; {@code simulation} runs the engine on it; {@code measure}
 * collects measurements of the run; {@code figures} holds the results as plain data; {@code report} writes them as JSON
 * and HTML.
 *
 * <p>{@link dev.sluice.simulator.simulation.Experiment} is the entry point: several configurations on one
 * {@link dev.sluice.simulator.workload.Workload} yield a {@link dev.sluice.simulator.figures.Comparison}, which
 * {@link dev.sluice.simulator.report.HtmlReport} and {@link dev.sluice.simulator.report.ComparisonJson} write. The same
 * input gives the same output, byte for byte. {@code docs/guides/plan-and-simulate.md} has an example and lists what is simulated and
 * what is not.
 */
package dev.sluice.simulator;
