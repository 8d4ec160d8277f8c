/**
 * What is submitted in a simulation, and when.
 *
 * <p>A {@link dev.sluice.simulator.workload.Workload} can be opened again and again; an
 * {@link dev.sluice.simulator.workload.ArrivalStream} then gives one {@link dev.sluice.simulator.workload.Arrival} after the other: an
 * application and how long its tasks will run. Lines that cannot be read are left out and counted in
 * {@link dev.sluice.simulator.workload.BrokenLines}.
 */
package dev.sluice.simulator.workload;
