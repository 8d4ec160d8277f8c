package dev.sluice.runtime.journal;

import dev.sluice.runtime.journal.codec.EntryDecoder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes batches into journal entries. Not thread-safe; caches repeated strings, so reuse the instance. */
public final class BatchDecoder {

    private final EntryDecoder decoder = new EntryDecoder();

    /**
     * Returns the entries of a batch, equal to those that were written.
     *
     * @throws StoreException {@link StoreException.Kind#DAMAGED} if the bytes were not written by a {@link Journal},
     *     were written by a later release, or do not contain the number of events that the batch states
     */
    public List<JournalEntry> decode(StoredBatch batch) throws StoreException {
        String problem;
        @Nullable RuntimeException cause = null;
        try {
            List<JournalEntry> entries = new ArrayList<>();
            decoder.decode(
                    batch.body(),
                    (action, actor, happened) -> entries.add(new JournalEntry(new Cause(action, actor), happened)));
            int events = 0;
            for (JournalEntry entry : entries) {
                events += entry.events().size();
            }
            if (events == batch.events()) {
                return entries;
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
