package dev.sluice.runtime.journal;

import java.time.Instant;

/** The unit of writing: the events of one or more entries, as bytes in the format of the codec. */
public final class StoredBatch {

    private final long first;
    private final int events;
    private final Instant at;
    private final byte[] body;

    /**
     * Creates a batch.
     *
     * @param first the sequence number of its first event; those of a journal are numbered from 1 without gaps
     * @param events the number of events, at least 1
     * @param at when the events were decided
     * @param body the encoded entries; must not be modified afterwards
     */
    public StoredBatch(long first, int events, Instant at, byte[] body) {
        if (first < 1 || events < 1) {
            throw new IllegalArgumentException(
                    "sequence number and number of events must be at least 1: " + first + ", " + events);
        }
        this.first = first;
        this.events = events;
        this.at = at;
        this.body = body;
    }

    /** Returns the sequence number of the first event. */
    public long first() {
        return first;
    }

    /** Returns the sequence number of the last event. */
    public long last() {
        return first + events - 1;
    }

    /** Returns the number of events. */
    public int events() {
        return events;
    }

    /** Returns when the events were decided. */
    public Instant at() {
        return at;
    }

    /** Returns the encoded entries; must not be modified. */
    public byte[] body() {
        return body;
    }
}
