package dev.sluice.runtime.journal.codec;

import dev.sluice.core.state.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the bytes of batches entry by entry. Belongs to one thread; it remembers texts that come again and again, so one that is there is
 * better than a new one.
 */
public final class EntryDecoder {

    private final ValueReader reader = new ValueReader(new BinaryReader(null, new TextCache()));

    /** Takes entries, in order. */
    @FunctionalInterface
    public interface EntryConsumer {
        /** Takes the next one: what was done, who did it, and what happened. */
        void accept(String action, String actor, List<Event> events);
    }

    /**
     * Hands on the entries of a batch, equal to those that were written.
     *
     * @throws RuntimeException of any kind if the bytes were not written by a {@link BatchEncoder}, or by one of a later release; some
     *     entries may have been handed on before
     */
    public void decode(byte[] body, EntryConsumer consumer) {
        reader.open(body);
        BinaryReader in = reader.in;
        int format = in.octet();
        if (format != BatchEncoder.FORMAT) {
            throw new IllegalStateException(
                    "its format is " + format + ", where this release knows " + BatchEncoder.FORMAT);
        }
        in.instant();
        String partition = "";
        for (int count = in.count(); count > 0; count = in.count()) {
            String action = in.text();
            String actor = in.text();
            List<Event> events = new ArrayList<>(BinaryReader.initialCapacity(count));
            for (int i = 0; i < count; i++) {
                Event event = EventCodec.read(reader, partition);
                partition = event.partition();
                events.add(event);
            }
            consumer.accept(action, actor, events);
        }
        in.end();
    }
}
