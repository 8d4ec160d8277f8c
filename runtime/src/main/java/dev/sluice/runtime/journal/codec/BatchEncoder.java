package dev.sluice.runtime.journal.codec;

import dev.sluice.core.state.Event;
import java.time.Instant;
import java.util.List;

/**
 * Encodes batches, one after the other: {@link #begin}, {@link #add} for each entry, {@link #end}. Not thread-safe;
 * keeps its buffers, so reuse the instance.
 */
public final class BatchEncoder {

    /** The format version, which is the first byte of every batch. */
    static final int FORMAT = 2;

    private final ValueWriter writer = new ValueWriter(new BinaryWriter(null));
    private final EventWriter eventWriter = new EventWriter(writer);
    private String partition = "";
    private int events;

    /**
     * Starts a batch and discards one that was not ended.
     *
     * @param at when its events were decided; events with other instants take more bytes
     */
    public void begin(Instant at) {
        writer.clear();
        partition = "";
        events = 0;
        writer.out.octet(FORMAT);
        writer.out.instant(at);
    }

    /**
     * Adds an entry, unless the batch already has entries and would exceed the size limit.
     *
     * @param action the action of the cause
     * @param actor the actor of the cause; may be empty
     * @param happened the events, in order; at least one
     * @param bytesMax the size limit of a batch with several entries
     * @return whether the entry was added; if not, only {@link #end} may follow
     */
    public boolean add(String action, String actor, List<Event> happened, int bytesMax) {
        BinaryWriter out = writer.out;
        int before = out.size();
        String partitionBefore = partition;
        out.number(happened.size());
        out.text(action);
        out.text(actor);
        for (Event event : happened) {
            eventWriter.write(event, partition);
            partition = event.partition();
        }
        if (events > 0 && out.size() > bytesMax) {
            out.truncate(before);
            partition = partitionBefore;
            return false;
        }
        events += happened.size();
        return true;
    }

    /** Returns the number of events in the batch so far. */
    public int events() {
        return events;
    }

    /** Returns the bytes of the batch. */
    public byte[] end() {
        writer.out.number(0);
        return writer.out.withSum();
    }
}
