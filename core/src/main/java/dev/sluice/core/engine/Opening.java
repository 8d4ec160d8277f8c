package dev.sluice.core.engine;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.share.CycleStart;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Task;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The beginning of one cycle: works out what is free when a share policy first asks, and again after something was stopped. */
final class Opening implements CycleStart {

    private final Partition partition;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final Instant now;
    private long @Nullable [] free;

    Opening(Partition partition, Emitter emitter, Lifecycle lifecycle, Instant now) {
        this.partition = partition;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.now = now;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public void stop(Task task) {
        lifecycle.stop(partition, task, StopReason.REBALANCE, now);
        free = null;
    }

    @Override
    public void emit(PartitionEvent event) {
        emitter.emit(event);
    }

    @Override
    public long[] free() {
        long[] known = free;
        if (known == null) {
            known = new long[partition.types().size()];
            for (Node node : partition.nodes()) {
                if (node.isReady()) {
                    addFree(node, known);
                }
            }
            known[ResourceTypes.SLOTS_INDEX] = Math.min(known[ResourceTypes.SLOTS_INDEX], partition.throttleRoom());
            free = known;
        }
        return known;
    }

    private static void addFree(Node node, long[] free) {
        free[ResourceTypes.SLOTS_INDEX] += node.idleWorkers();
        for (int type = ResourceTypes.SLOTS_INDEX + 1; type < free.length; type++) {
            free[type] += node.free(type);
        }
    }
}
