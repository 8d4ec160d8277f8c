package dev.sluice.core.share;

import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import java.time.Instant;

/** The beginning of a cycle, as share policies see it. */
public interface CycleStart {

    /** The instant of the cycle. */
    Instant now();

    /**
     * What is free on all ready nodes, as a vector with a number for every type; slots are idle workers, and no more of them than the
     * throttle leaves.
     */
    long[] free();

    /**
     * Stops a task so that others get their share. What it holds is free from then on.
     *
     * @param parent below which those others are
     */
    void stop(Task task, Queue parent);

    /** Something that the policy decided has happened. */
    void emit(PartitionEvent event);
}
