package dev.sluice.simulator.simulation;

/**
 * Thrown when a simulation cannot start because the engine rejects the configuration or a node. The message says why.
 */
public final class SimulationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public SimulationException(String message) {
        super(message);
    }
}
