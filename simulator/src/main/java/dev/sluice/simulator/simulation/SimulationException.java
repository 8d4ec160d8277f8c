package dev.sluice.simulator.simulation;

/** A simulation that cannot begin: the engine does not take the configuration or a node. The message says why. */
public final class SimulationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** With what is wrong. */
    public SimulationException(String message) {
        super(message);
    }
}
