package dev.sluice.server;

import dev.sluice.runtime.journal.BatchDecoder;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.live.EventSource;
import java.util.concurrent.atomic.AtomicReference;

/** Reads events from the journal store. */
final class StoredEvents implements EventSource {

    private final JournalStore store;

    StoredEvents(JournalStore store) {
        this.store = store;
    }

    @Override
    public void read(long after, EntryReader reader) throws StoreException {
        BatchDecoder decoder = new BatchDecoder();
        AtomicReference<StoreException> damage = new AtomicReference<>();
        store.read(after, batch -> {
            try {
                long first = batch.first();
                for (JournalEntry entry : decoder.decode(batch)) {
                    if (!reader.read(first, entry)) {
                        return false;
                    }
                    first += entry.events().size();
                }
                return true;
            } catch (StoreException e) {
                damage.set(e);
                return false;
            }
        });
        StoreException found = damage.get();
        if (found != null) {
            throw found;
        }
    }

    @Override
    public long firstSequence() throws StoreException {
        return store.firstSequence();
    }
}
