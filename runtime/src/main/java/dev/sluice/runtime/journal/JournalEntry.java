package dev.sluice.runtime.journal;

import dev.sluice.core.state.Event;
import java.util.List;

/**
 * The events that result from one cause.
 *
 * @param cause the action and its actor
 * @param events the events, in order; at least one
 */
public record JournalEntry(Cause cause, List<Event> events) {

    /** Throws {@link IllegalArgumentException} if there are no events. */
    public JournalEntry {
        events = List.copyOf(events);
        if (events.isEmpty()) {
            throw new IllegalArgumentException("entry without events: " + cause);
        }
    }
}
