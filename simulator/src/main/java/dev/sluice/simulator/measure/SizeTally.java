package dev.sluice.simulator.measure;

import dev.sluice.simulator.figures.SizeFigures;

/** Counts the tasks of one size. */
final class SizeTally {

    private final Histogram waiting = new Histogram();
    private final Histogram slowdown = new Histogram();

    void started(double waitedSeconds) {
        waiting.add(waitedSeconds);
    }

    void succeeded(double value) {
        slowdown.add(value);
    }

    boolean isEmpty() {
        return waiting.count() == 0;
    }

    SizeFigures figures(String resource, long from, long to) {
        return new SizeFigures(resource, from, to, waiting.count(), waiting.distribution(), slowdown.distribution());
    }
}
