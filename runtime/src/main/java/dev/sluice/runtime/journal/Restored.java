package dev.sluice.runtime.journal;

import dev.sluice.core.engine.Scheduler;
import java.time.Instant;

/**
 * The result of a replay.
 *
 * @param scheduler the restored scheduler
 * @param sequence the sequence number of the last event; 0 if there are none
 * @param at when the batch of the last event was decided; {@link Instant#EPOCH} if there are no events
 * @param checkpoint the sequence number of the checkpoint used; 0 for none
 */
public record Restored(Scheduler scheduler, long sequence, Instant at, long checkpoint) {

    /** Returns the number of events applied. */
    public long replayed() {
        return sequence - checkpoint;
    }
}
