package dev.sluice.core.share;

import dev.sluice.core.state.PartitionEvent;
import java.time.Instant;

/** The beginning of a cycle, as share policies see it. */
public interface CycleStart {

    /** The instant of the cycle. */
    Instant now();

    /**
     * What is free on all ready nodes, as a vector with a number for every type; slots are idle workers, and no more of them than the
     * throttle leaves. What policies above expect to be preempted counts as free for those below them.
     */
    long[] free();

    /** Something that the policy decided has happened. */
    void emit(PartitionEvent event);
}
