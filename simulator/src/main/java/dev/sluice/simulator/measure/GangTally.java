package dev.sluice.simulator.measure;

import dev.sluice.simulator.figures.GangFigures;

/** Counts the gangs of a run. */
final class GangTally {

    private final Histogram waiting = new Histogram();
    private long timedOut;

    /** Counts a gang that started after this time. */
    void started(double waitedSeconds) {
        waiting.add(waitedSeconds);
    }

    /** Counts a gang that did not start within its timeout. */
    void timedOut() {
        timedOut++;
    }

    GangFigures figures() {
        return new GangFigures(waiting.count(), timedOut, waiting.distribution());
    }
}
