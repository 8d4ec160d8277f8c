package dev.sluice.server.live;

import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.EventView;
import dev.sluice.server.view.EventViews;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event feed for live readers. It keeps the latest events in memory; readers further behind read the journal. Hence
 * a slow reader costs no memory, and one that reconnects resumes where it left off.
 */
public final class LiveFeed implements Projection {

    private final EventSource journal;
    private final int eventsMax;
    private final Deque<NumberedEntry> latest = new ArrayDeque<>();
    private long held; // number of events in the kept entries
    private long last;
    private boolean closed;

    private record NumberedEntry(long first, JournalEntry entry) {
        long last() {
            return first + entry.events().size() - 1;
        }
    }

    /**
     * Creates a feed.
     *
     * @param last the sequence number of the last event so far
     * @param eventsMax the maximum number of events kept in memory
     */
    public LiveFeed(EventSource journal, long last, int eventsMax) {
        this.journal = journal;
        this.last = last;
        this.eventsMax = eventsMax;
    }

    @Override
    public synchronized void committed(long first, List<JournalEntry> entries) {
        long next = first;
        for (JournalEntry entry : entries) {
            latest.add(new NumberedEntry(next, entry));
            next += entry.events().size();
            held += entry.events().size();
        }
        last = next - 1;
        while (held > eventsMax && latest.size() > 1) {
            held -= latest.remove().entry().events().size();
        }
        notifyAll();
    }

    /** Returns the sequence number of the last committed event. */
    public synchronized long last() {
        return last;
    }

    /** Closes the feed and wakes all waiting readers. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /**
     * Waits until there is an event after this one, or until the timeout.
     *
     * @return false if the feed is closed
     */
    public synchronized boolean await(long after, Duration max) throws InterruptedException {
        long deadline = System.nanoTime() + max.toNanos();
        while (!closed && last <= after) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return true;
            }
            wait(left);
        }
        return !closed;
    }

    /** Returns events after this one, at most {@code limit}; may be empty. */
    public List<EventView> after(long after, int limit) throws StoreException {
        List<EventView> views = new ArrayList<>();
        List<NumberedEntry> entries = entriesInMemory(after);
        if (entries == null) {
            journal.read(after, (first, entry) -> add(views, after, limit, new NumberedEntry(first, entry)));
        } else {
            for (NumberedEntry entry : entries) {
                if (!add(views, after, limit, entry)) {
                    break;
                }
            }
        }
        return views;
    }

    private static boolean add(List<EventView> views, long after, int limit, NumberedEntry numbered) {
        for (int i = 0; i < numbered.entry().events().size(); i++) {
            long sequence = numbered.first() + i;
            if (views.size() == limit) {
                return false;
            }
            if (sequence > after) {
                views.add(EventViews.of(
                        sequence,
                        numbered.entry().cause(),
                        numbered.entry().events().get(i)));
            }
        }
        return views.size() < limit;
    }

    /** Returns whether all events after this one are in memory. */
    synchronized boolean isInMemory(long after) {
        return after >= last || (!latest.isEmpty() && latest.element().first() <= after + 1);
    }

    /** Returns the entries in memory after this event, or null if some are no longer kept. */
    private synchronized @Nullable List<NumberedEntry> entriesInMemory(long after) {
        if (after >= last) {
            return List.of();
        }
        if (!isInMemory(after)) {
            return null;
        }
        List<NumberedEntry> entries = new ArrayList<>();
        for (NumberedEntry entry : latest) {
            if (entry.last() > after) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** Returns the sequence number of the first event that can still be read. */
    public long firstSequence() throws StoreException {
        return journal.firstSequence();
    }
}
