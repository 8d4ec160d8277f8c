package dev.sluice.core.command;

import dev.sluice.core.state.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a command: the events that it caused, in order and already applied, or a refusal.
 *
 * @param events what happened; none if the command was refused, or if it changed nothing
 * @param refusal why it was refused, or null
 */
public record Reply(List<Event> events, @Nullable Refusal refusal) {

    /** Copies the list; a refused command causes nothing. */
    public Reply {
        events = List.copyOf(events);
        if (refusal != null && !events.isEmpty()) {
            throw new IllegalArgumentException("a refused command causes nothing: " + refusal);
        }
    }

    /** Whether the command was carried out. */
    public boolean isAccepted() {
        return refusal == null;
    }
}
