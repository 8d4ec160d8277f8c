package dev.sluice.runtime.journal.codec;

import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.JournalEntry;
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

    /** All entries as one batch, however large. */
    public static byte[] encode(List<JournalEntry> entries, Instant at) {
        BatchEncoder encoder = new BatchEncoder();
        encoder.begin(at);
        for (JournalEntry entry : entries) {
            if (!encoder.add(entry, Integer.MAX_VALUE)) {
                throw new IllegalArgumentException("a batch cannot be so large: " + encoder.writer.out.size());
            }
        }
        return encoder.end();
    }

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
     * @param bytesMax how large a batch of several entries may be
     * @return whether it was added; if not, nothing but {@link #end} may follow
     */
    public boolean add(JournalEntry entry, int bytesMax) {
        BinaryWriter out = writer.out;
        int before = out.size();
        String partitionBefore = partition;
        out.number(entry.events().size());
        out.text(entry.cause().action());
        out.text(entry.cause().actor());
        for (Event event : entry.events()) {
            EventForms.write(writer, event, partition);
            partition = event.partition();
        }
        if (events > 0 && out.size() > bytesMax) {
            out.truncate(before);
            partition = partitionBefore;
            return false;
        }
        events += entry.events().size();
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
