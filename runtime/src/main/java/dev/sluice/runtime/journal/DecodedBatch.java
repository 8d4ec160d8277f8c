package dev.sluice.runtime.journal;

import dev.sluice.core.state.Event;
import java.time.Instant;
import java.util.List;

/**
 * The events of a batch, for a state to apply.
 *
 * @param first the sequence number of the first event
 * @param at when the events were decided
 */
record DecodedBatch(long first, Instant at, List<Event> events) {

    static DecodedBatch of(StoredBatch batch, BatchDecoder decoder) throws StoreException {
        return new DecodedBatch(batch.first(), batch.at(), decoder.decodeForReplay(batch));
    }

    /** Returns the sequence number of the last event. */
    long last() {
        return first + events.size() - 1;
    }
}
