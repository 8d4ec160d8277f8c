package dev.sluice.simulator.simulation;

import dev.sluice.core.rank.Ranked;

/** One run of an allocated task; once started, it is in the queue of ends. */
final class SimulatedRun extends Ranked {

    private static final long NOT_STARTED = Long.MIN_VALUE;

    final LiveGroup group;
    final int index;
    final int attempt;
    final long sequence;
    final long placedMillis;
    long startedMillis;
    long endsMillis;

    SimulatedRun(LiveGroup group, int index, int attempt, long sequence, long placedMillis) {
        this.group = group;
        this.index = index;
        this.attempt = attempt;
        this.sequence = sequence;
        this.placedMillis = placedMillis;
        this.startedMillis = NOT_STARTED;
    }

    String partition() {
        return group.application.partition.name();
    }

    String applicationId() {
        return group.application.application.id();
    }

    String taskId() {
        return group.group.taskId(index);
    }

    boolean hasStarted() {
        return startedMillis != NOT_STARTED;
    }
}
