package dev.sluice.core.command;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a command: the events that it caused, in order and already applied, or a refusal.
 *
 * @param events what happened; none if the command was refused, or if it changed nothing
 * @param refusal why it was refused, or null
 */
public record CommandResult(List<Event> events, @Nullable Refusal refusal) {

    /** Copies the list; a refused command causes nothing. */
    public CommandResult {
        events = List.copyOf(events);
        if (refusal != null && !events.isEmpty()) {
            throw new IllegalArgumentException("a refused command cannot have events: " + refusal);
        }
    }

    /** Whether the command was carried out and, if it submits an application, a queue accepted that. */
    public boolean isAccepted() {
        return refusal == null && events.stream().noneMatch(CommandResult::isRejection);
    }

    /** Only a submission causes one, of the application that it submits. */
    private static boolean isRejection(Event event) {
        return event instanceof ApplicationEvent.StateChanged changed && changed.to() == ApplicationState.REJECTED;
    }
}
