/**
 * Runs the engine in virtual time.
 *
 * <p>A {@link dev.sluice.simulator.simulation.Simulation} takes a {@link dev.sluice.simulator.simulation.SimulationSetup}: it goes from one instant at which
 * something happens to the next, gives the engine what happened there (tasks that end, applications that are submitted), lets it make
 * cycles until it decides nothing more, and does what it decided. {@link dev.sluice.simulator.simulation.Bounds} makes workloads that show
 * what could be had; {@link dev.sluice.simulator.simulation.Experiment} runs several configurations on one workload.
 */
package dev.sluice.simulator.simulation;
