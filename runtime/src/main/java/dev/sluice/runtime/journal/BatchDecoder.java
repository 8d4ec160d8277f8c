package dev.sluice.runtime.journal;

import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.codec.EntryDecoder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes batches into journal entries. Not thread-safe; caches repeated strings, so reuse the instance. */
public final class BatchDecoder {

    private final EntryDecoder decoder = new EntryDecoder();

    /** Decodes a batch; returns the number of its events. */
    private interface Decoding {
        int decode(byte[] body);
    }

    /**
     * Returns the entries of a batch, equal to those that were written.
     *
     * @throws StoreException {@link StoreException.Kind#DAMAGED} if the bytes were not written by a {@link Journal},
     *     were written by a later release, or do not contain the number of events that the batch states
     */
    public List<JournalEntry> decode(StoredBatch batch) throws StoreException {
        List<JournalEntry> entries = new ArrayList<>();
        verify(batch, body -> {
            decoder.decode(
                    body, (action, actor, events) -> entries.add(new JournalEntry(new Cause(action, actor), events)));
            return entries.stream().mapToInt(entry -> entry.events().size()).sum();
        });
        return entries;
    }

    /**
     * Returns the events of a batch, for a state to apply: their origins and runs are unknown.
     *
     * @throws StoreException like {@link #decode}
     */
    List<Event> decodeForReplay(StoredBatch batch) throws StoreException {
        List<Event> events = new ArrayList<>(batch.events());
        verify(batch, body -> {
            decoder.decodeForReplay(body, events);
            return events.size();
        });
        return events;
    }

    private static void verify(StoredBatch batch, Decoding decoding) throws StoreException {
        String problem;
        @Nullable RuntimeException cause = null;
        try {
            int events = decoding.decode(batch.body());
            if (events == batch.events()) {
                return;
            }
            problem = "expected " + batch.events() + " events but found " + events;
        } catch (RuntimeException e) {
            // damaged bytes may decode to values that a constructor rejects; a bug is visible in the cause
            problem = String.valueOf(e.getMessage());
            cause = e;
        }
        StoreException damage = new StoreException(
                StoreException.Kind.DAMAGED,
                "events " + batch.first() + " to " + batch.last() + " of the journal are unreadable: " + problem
                        + ". Restore the store from a backup, or start the release that wrote it");
        if (cause != null) {
            damage.initCause(cause);
        }
        throw damage;
    }
}
