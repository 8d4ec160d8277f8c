package dev.sluice.core.engine;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.share.CycleStart;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import java.time.Instant;

/**
 * What share policies see and can emit when a cycle of one partition begins. Free slots are capped by the throttle.
 */
final class PartitionCycleStart implements CycleStart {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final Emitter emitter;
    private final Instant now;

    PartitionCycleStart(Partition partition, PartitionSchedule schedule, Emitter emitter, Instant now) {
        this.partition = partition;
        this.schedule = schedule;
        this.emitter = emitter;
        this.now = now;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void emit(PartitionEvent event) {
        emitter.emit(event);
    }

    @Override
    public long[] free() {
        long[] free = schedule.free();
        free[ResourceTypes.SLOTS_INDEX] = Math.min(free[ResourceTypes.SLOTS_INDEX], partition.throttleHeadroom());
        return free;
    }
}
