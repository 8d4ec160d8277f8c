package dev.sluice.runtime.journal.codec;

import dev.sluice.core.state.Event;
import java.time.Instant;
import java.util.List;

/**
 * Makes the bytes of batches, one batch after the other: {@link #begin}, {@link #add} for each entry, {@link #end}. Belongs to one
 * thread; it keeps its buffers, so one that is there is better than a new one.
 */
public final class BatchEncoder {

    /** The version of the format that is written: what every batch begins with. */
    static final int FORMAT = 1;

    private final ValueWriter writer = new ValueWriter(new BinaryWriter(null));
    private String partition = "";
    private int events;

    /**
     * Begins a batch; what was not ended is forgotten.
     *
     * @param at when its events were decided; those of another instant only take more room
     */
    public void begin(Instant at) {
        writer.clear();
        partition = "";
        events = 0;
        writer.out.octet(FORMAT);
        writer.out.instant(at);
    }

    /**
     * Adds an entry, unless the batch has others already and would become larger than this with it.
     *
     * @param action what was done
     * @param actor who did it; may be empty
     * @param happened what happened, in order; at least one
     * @param bytesMax how large a batch of several entries may be
     * @return whether it was added; if not, nothing but {@link #end} may follow
     */
    public boolean add(String action, String actor, List<Event> happened, int bytesMax) {
        BinaryWriter out = writer.out;
        int before = out.size();
        String partitionBefore = partition;
        out.number(happened.size());
        out.text(action);
        out.text(actor);
        for (Event event : happened) {
            EventCodec.write(writer, event, partition);
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

    /** How many events the batch has so far. */
    public int events() {
        return events;
    }

    /** The bytes of the batch. */
    public byte[] end() {
        writer.out.number(0);
        return writer.out.withSum();
    }
}
