package dev.sluice.core.engine;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.share.CycleStart;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import java.time.Instant;

/** The beginning of one cycle. */
final class Opening implements CycleStart {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final Instant now;

    Opening(Partition partition, PartitionSchedule schedule, Emitter emitter, Lifecycle lifecycle, Instant now) {
        this.partition = partition;
        this.schedule = schedule;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.now = now;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void stop(Task task, Queue parent) {
        lifecycle.stop(partition, task, StopReason.REBALANCE, now);
        schedule.freed(parent, task.demand());
    }

    @Override
    public void emit(PartitionEvent event) {
        emitter.emit(event);
    }

    @Override
    public long[] free() {
        long[] free = schedule.free();
        free[ResourceTypes.SLOTS_INDEX] = Math.min(free[ResourceTypes.SLOTS_INDEX], partition.throttleRoom());
        return free;
    }
}
