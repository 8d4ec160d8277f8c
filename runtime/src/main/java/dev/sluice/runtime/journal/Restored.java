package dev.sluice.runtime.journal;

import dev.sluice.core.engine.Scheduler;
import java.time.Instant;

/**
 * What a journal came to.
 *
 * @param scheduler the scheduler, as it was
 * @param sequence the sequence number of the last event that it knows; 0 if nothing ever happened
 * @param at when that was decided, by the batch that it is in; {@link Instant#EPOCH} if nothing ever happened
 * @param checkpoint the sequence number of the checkpoint that it began with; 0 for none
 */
public record Restored(Scheduler scheduler, long sequence, Instant at, long checkpoint) {

    /** How many events were applied. */
    public long replayed() {
        return sequence - checkpoint;
    }
}
