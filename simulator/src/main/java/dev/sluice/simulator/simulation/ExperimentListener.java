package dev.sluice.simulator.simulation;

import java.time.Instant;

/** Is told how far a contest has come; by several threads at a time. */
public interface ExperimentListener {

    /** Who does not want to know. */
    ExperimentListener NONE = new ExperimentListener() {
        @Override
        public void planned(int number, String name) {}

        @Override
        public void advanced(int number, Instant now, long events, long applicationsEnded) {}

        @Override
        public void ended(int number) {}
    };

    /** A simulation of this name will be made; they are numbered from 0, and all are told of before the first begins. */
    void planned(int number, String name);

    /** A simulation has come this far, as {@link SimulationListener} tells it. */
    void advanced(int number, Instant now, long events, long applicationsEnded);

    /** A simulation is over. */
    void ended(int number);
}
