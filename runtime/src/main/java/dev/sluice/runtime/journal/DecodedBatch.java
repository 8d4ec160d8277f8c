package dev.sluice.runtime.journal;

import dev.sluice.core.state.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of a batch.
 *
 * @param first the sequence number of the first event
 * @param at when the events were decided
 */
record DecodedBatch(long first, Instant at, List<Event> events) {

    static DecodedBatch of(StoredBatch batch, BatchDecoder decoder) throws StoreException {
        List<Event> events = new ArrayList<>(batch.events());
        for (JournalEntry entry : decoder.decode(batch)) {
            events.addAll(entry.events());
        }
        return new DecodedBatch(batch.first(), batch.at(), events);
    }

    /** Returns the sequence number of the last event. */
    long last() {
        return first + events.size() - 1;
    }
}
