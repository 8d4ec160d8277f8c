package dev.sluice.server.live;

import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.loop.CommitListener;
import dev.sluice.server.api.EventView;
import dev.sluice.server.view.EventViews;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens, for those who watch. The latest events are held here; whoever is further behind reads the journal. So a slow watcher costs
 * nothing, and one that comes back goes on where it was.
 */
public final class LiveFeed implements CommitListener {

    private final EventSource journal;
    private final int eventsMax;
    private final Deque<NumberedEntry> latest = new ArrayDeque<>();
    private long held; // how many events the latest entries have
    private long last;
    private boolean closed;

    private record NumberedEntry(long first, JournalEntry entry) {
        long last() {
            return first + entry.events().size() - 1;
        }
    }

    /**
     * A feed.
     *
     * @param last the sequence number of the last event so far
     * @param eventsMax how many events are held
     */
    public LiveFeed(EventSource journal, long last, int eventsMax) {
        this.journal = journal;
        this.last = last;
        this.eventsMax = eventsMax;
    }

    @Override
    public synchronized void committed(long first, List<JournalEntry> entries, SchedulerState state) {
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

    /** The sequence number of the last event that is safe. */
    public synchronized long last() {
        return last;
    }

    /** Ends all waiting. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits until there is an event after this one, but no longer than so; returns false when the feed has ended. */
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

    /** Events after this one, at most so many; fewer, even none, if no more have happened. */
    public List<EventView> after(long after, int limit) throws StoreException {
        List<EventView> views = new ArrayList<>();
        List<NumberedEntry> entries = held(after);
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

    /** Whether what comes after this event is held here, so that nobody need look into the journal. */
    synchronized boolean holds(long after) {
        return after >= last || (!latest.isEmpty() && latest.element().first() <= after + 1);
    }

    /** The entries that are held after this event, or null if some of them are not. */
    private synchronized @Nullable List<NumberedEntry> held(long after) {
        if (after >= last) {
            return List.of();
        }
        if (!holds(after)) {
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

    /** The sequence number of the first event that can still be read. */
    public long firstSequence() throws StoreException {
        return journal.firstSequence();
    }
}
