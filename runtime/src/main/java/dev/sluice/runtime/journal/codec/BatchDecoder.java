package dev.sluice.runtime.journal.codec;

import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoredBatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes entries of the bytes of batches. Belongs to one thread; it remembers texts that come again and again, so one that is there is
 * better than a new one.
 */
public final class BatchDecoder {

    private final ValueReader reader = new ValueReader(new BinaryReader(null, new TextCache()));

    /**
     * The entries of a batch, equal to those that were written.
     *
     * @throws StoreException {@link StoreException.Kind#DAMAGED} if the bytes were not written by a {@link BatchEncoder}, or by one of a
     *     later release, or if they do not have the batch's events
     */
    public List<JournalEntry> decode(StoredBatch batch) throws StoreException {
        String problem;
        @Nullable RuntimeException cause = null;
        try {
            List<JournalEntry> entries = entries(batch.body());
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

    private List<JournalEntry> entries(byte[] body) {
        reader.open(body);
        BinaryReader in = reader.in;
        int format = in.octet();
        if (format != BatchEncoder.FORMAT) {
            throw new IllegalStateException(
                    "its format is " + format + ", where this release knows " + BatchEncoder.FORMAT);
        }
        in.instant();
        List<JournalEntry> entries = new ArrayList<>();
        String partition = "";
        for (int count = in.count(); count > 0; count = in.count()) {
            Cause cause = new Cause(in.text(), in.text());
            List<Event> events = new ArrayList<>(BinaryReader.room(count));
            for (int i = 0; i < count; i++) {
                Event event = EventForms.read(reader, partition);
                partition = event.partition();
                events.add(event);
            }
            entries.add(new JournalEntry(cause, events));
        }
        in.end();
        return entries;
    }
}
