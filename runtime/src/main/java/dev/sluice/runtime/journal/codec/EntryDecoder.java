package dev.sluice.runtime.journal.codec;

import dev.sluice.core.state.Event;
import java.util.ArrayList;
import java.util.List;

/** Decodes batches entry by entry. Not thread-safe; caches repeated strings, so reuse the instance. */
public final class EntryDecoder {

    private final ValueReader reader = new ValueReader(new BinaryReader(null, new TextCache()));
    private final EventReader eventReader = new EventReader(reader);

    /** Receives entries, in order. */
    @FunctionalInterface
    public interface EntryConsumer {
        /** Receives the next entry. */
        void accept(String action, String actor, List<Event> events);
    }

    /**
     * Passes the entries of a batch, equal to those written, to a consumer.
     *
     * @throws RuntimeException of any type if the bytes were not written by a {@link BatchEncoder}, or were written by
     *     a later release; some entries may have been passed on before
     */
    public void decode(byte[] body, EntryConsumer consumer) {
        BinaryReader in = open(body, false);
        for (int count = in.count(); count > 0; count = in.count()) {
            String action = in.text();
            String actor = in.text();
            List<Event> events = new ArrayList<>(BinaryReader.initialCapacity(count));
            for (int i = 0; i < count; i++) {
                events.add(eventReader.read());
            }
            consumer.accept(action, actor, events);
        }
        in.end();
    }

    /**
     * Adds the events of a batch to a list, without what applying them does not use: origins, and runs except their
     * task and the node of a placement. They are like events of format 1.
     *
     * @throws RuntimeException like {@link #decode}; some events may have been added before
     */
    public void decodeForReplay(byte[] body, List<Event> events) {
        BinaryReader in = open(body, true);
        for (int count = in.count(); count > 0; count = in.count()) {
            in.skipText();
            in.skipText();
            for (int i = 0; i < count; i++) {
                events.add(eventReader.read());
            }
        }
        in.end();
    }

    private BinaryReader open(byte[] body, boolean isForReplay) {
        reader.open(body);
        BinaryReader in = reader.in;
        int format = in.octet();
        if (format < 1 || format > BatchEncoder.FORMAT) {
            throw new IllegalStateException("unsupported format version " + format
                    + "; this release supports versions 1 to " + BatchEncoder.FORMAT);
        }
        eventReader.open(format, isForReplay);
        in.instant();
        return in;
    }
}
