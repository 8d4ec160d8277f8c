package dev.sluice.runtime.journal;

import dev.sluice.runtime.journal.codec.EntryDecoder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes entries of the bytes of batches. Belongs to one thread; it remembers texts that come again and again, so one that is there is
 * better than a new one.
 */
public final class BatchDecoder {

    private final EntryDecoder decoder = new EntryDecoder();

    /**
     * The entries of a batch, equal to those that were written.
     *
     * @throws StoreException {@link StoreException.Kind#DAMAGED} if the bytes were not written by a {@link Journal}, or by one of a
     *     later release, or if they do not have the batch's events
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
            problem = "there should be " + batch.events() + " and are " + events;
        } catch (RuntimeException e) {
            // whatever values refuse that garbage is made into; a bug shows in the cause
            problem = String.valueOf(e.getMessage());
            cause = e;
        }
        StoreException damage = new StoreException(
                StoreException.Kind.DAMAGED,
                "events " + batch.first() + " to " + batch.last() + " of the journal cannot be read: " + problem
                        + ". Restore the store from a backup, or start the release that has written it.");
        if (cause != null) {
            damage.initCause(cause);
        }
        throw damage;
    }
}
