package dev.sluice.core.command;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a command: the events that it caused, in order and already applied, or a refusal.
 *
 * @param events empty if the command was refused or changed nothing
 * @param refusal why the command was refused, or null
 */
public record CommandResult(List<Event> events, @Nullable Refusal refusal) {

    /** Copies the list; throws {@link IllegalArgumentException} for a refusal with events. */
    public CommandResult {
        events = List.copyOf(events);
        if (refusal != null && !events.isEmpty()) {
            throw new IllegalArgumentException("a refused command cannot have events: " + refusal);
        }
    }

    /** Whether the command was executed and, for a submission, a queue accepted the application. */
    public boolean isAccepted() {
        return refusal == null && events.stream().noneMatch(CommandResult::isRejection);
    }

    /** Whether this event rejects the submitted application; only submissions cause one. */
    private static boolean isRejection(Event event) {
        return event instanceof ApplicationEvent.StateChanged changed && changed.to() == ApplicationState.REJECTED;
    }
}
