/**
 * Runs the engine in virtual time.
 *
 * <p>A {@link dev.sluice.simulator.simulation.Simulation} takes a
 * {@link dev.sluice.simulator.simulation.SimulationSetup}. It advances from one event time to the next, reports the
 * events to the engine (ends of tasks, submissions), lets it run cycles until it makes no further decision, and applies
 * the decisions. {@link dev.sluice.simulator.simulation.Bounds} creates the workloads of the bounds;
 * {@link dev.sluice.simulator.simulation.Experiment} runs several configurations on one workload.
 */
package dev.sluice.simulator.simulation;
