package dev.sluice.simulator.simulation;

import java.time.Instant;

/** Receives the progress of an experiment; called by several threads. */
public interface ExperimentListener {

    /** A listener that ignores everything. */
    ExperimentListener NONE = new ExperimentListener() {
        @Override
        public void planned(int number, String name) {}

        @Override
        public void advanced(int number, Instant now, long events, long applicationsEnded) {}

        @Override
        public void ended(int number) {}
    };

    /** Called for every simulation before it begins; simulations are numbered from 0 in the order of these calls. */
    void planned(int number, String name);

    /** Called while a simulation advances, see {@link SimulationListener}. */
    void advanced(int number, Instant now, long events, long applicationsEnded);

    /** Called when a simulation has ended. */
    void ended(int number);
}
