package dev.sluice.simulator.simulation;

import java.time.Instant;

/** Receives the progress of a simulation. */
@FunctionalInterface
public interface SimulationListener {

    /** A listener that ignores everything. */
    SimulationListener NONE = (now, events, ended) -> {};

    /**
     * Called while the simulation advances.
     *
     * @param now the simulated time
     * @param events the number of events that the engine has decided so far
     * @param applicationsEnded the number of applications that have ended so far
     */
    void advanced(Instant now, long events, long applicationsEnded);
}
