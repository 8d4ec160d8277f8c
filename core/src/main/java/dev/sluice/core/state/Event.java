package dev.sluice.core.state;

import java.time.Instant;

/**
 * A decision of the engine. Events are the only thing that changes the state.
 *
 * <p>The state is the fold of all events from the beginning (event sourcing). Applying an event never decides anything.
 * It throws {@link IllegalStateException} if the event cannot follow the earlier ones, which indicates a bug or a
 * damaged journal.
 */
public sealed interface Event permits PartitionEvent, NodeEvent, ApplicationEvent, TaskEvent, ReservationEvent {

    /** Returns the name of the partition it happened in. */
    String partition();

    /** Returns the time at which it was decided. */
    Instant at();

    /** Applies the event to the state. */
    void apply(SchedulerState state);

    /** Calls the method of the visitor for this kind of event. */
    <R> R accept(EventVisitor<R> visitor);
}
