package dev.sluice.simulator.simulation;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.rank.Ranked;

/** One run of an allocated task; once started, it is in the queue of ends. */
final class SimulatedRun extends Ranked {

    private static final long NOT_STARTED = Long.MIN_VALUE;

    final LiveGroup group;
    final RunRef ref;
    final int index;
    final long sequence;
    final long placedMillis;
    long startedMillis;
    long endsMillis;

    SimulatedRun(LiveGroup group, RunRef ref, long sequence, long placedMillis) {
        this.group = group;
        this.ref = ref;
        this.index = ref.task().position();
        this.sequence = sequence;
        this.placedMillis = placedMillis;
        this.startedMillis = NOT_STARTED;
    }

    boolean hasStarted() {
        return startedMillis != NOT_STARTED;
    }
}
