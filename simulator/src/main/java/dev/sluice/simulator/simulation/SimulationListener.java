package dev.sluice.simulator.simulation;

import java.time.Instant;

/** Is told how far a simulation has come. */
@FunctionalInterface
public interface SimulationListener {

    /** Who does not want to know. */
    SimulationListener NONE = (now, events, ended) -> {};

    /**
     * Something more has happened.
     *
     * @param now the simulated time
     * @param events how many events the engine has decided so far
     * @param applicationsEnded how many applications have ended so far
     */
    void advanced(Instant now, long events, long applicationsEnded);
}
