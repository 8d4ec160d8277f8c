package dev.sluice.runtime.journal;

import dev.sluice.core.state.Event;
import java.util.List;

/**
 * What one cause brought about.
 *
 * @param cause who did what
 * @param events what happened, in order; at least one
 */
public record JournalEntry(Cause cause, List<Event> events) {

    /** Copies the list; throws {@link IllegalArgumentException} if nothing happened: that is not written down. */
    public JournalEntry {
        events = List.copyOf(events);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("nothing happened: " + cause);
        }
    }
}
