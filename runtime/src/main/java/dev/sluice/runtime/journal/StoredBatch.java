package dev.sluice.runtime.journal;

import java.time.Instant;

/** What is written to the journal at once: the events of one or more entries, as bytes that only the codec understands. */
public final class StoredBatch {

    private final long first;
    private final int events;
    private final Instant at;
    private final byte[] body;

    /**
     * A batch.
     *
     * @param first the sequence number of its first event; those of a journal are numbered from 1 without gaps
     * @param events how many events it has, at least 1
     * @param at the instant at which they were decided
     * @param body its entries; not to be changed from now on
     */
    public StoredBatch(long first, int events, Instant at, byte[] body) {
        if (first < 1 || events < 1) {
            throw new IllegalArgumentException(
                    "a batch has events, which are numbered from 1: " + first + ", " + events);
        }
        this.first = first;
        this.events = events;
        this.at = at;
        this.body = body;
    }

    /** The sequence number of its first event. */
    public long first() {
        return first;
    }

    /** The sequence number of its last event. */
    public long last() {
        return first + events - 1;
    }

    /** How many events it has. */
    public int events() {
        return events;
    }

    /** When they were decided. */
    public Instant at() {
        return at;
    }

    /** Its entries, encoded; not to be changed. */
    public byte[] body() {
        return body;
    }
}
