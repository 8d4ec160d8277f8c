package dev.sluice.core.share;

import dev.sluice.core.state.PartitionEvent;
import java.time.Instant;

/** The start of a cycle, as share policies see it. */
public interface CycleStart {

    /** The time of the cycle. */
    Instant now();

    /**
     * The free capacity of all ready nodes, as a vector with an entry per type. Slots are idle workers, limited by the
     * throttle. Capacity that share policies above expect to reclaim counts as free for the queues below them.
     */
    long[] free();

    /** Emits an event that the policy has decided on. */
    void emit(PartitionEvent event);
}
