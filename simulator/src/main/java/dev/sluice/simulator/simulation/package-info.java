/**
 * Runs the engine in virtual time.
 *
 * <p>A {@link dev.sluice.simulator.simulation.Simulation} takes a
 * {@link dev.sluice.simulator.simulation.SimulationSetup}. It is a host with a virtual clock, no journal and an
 * executor in virtual time: it advances from one event time to the next, ends tasks, submits applications, and runs
 * cycles until the engine makes no further decision. {@code MeasuredTasks} follows the events.
 * {@link dev.sluice.simulator.simulation.Bounds} creates the workloads of the bounds;
 * {@link dev.sluice.simulator.simulation.Experiment} runs several configurations on one workload.
 */
package dev.sluice.simulator.simulation;
