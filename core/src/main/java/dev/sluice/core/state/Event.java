package dev.sluice.core.state;

import java.time.Instant;

/**
 * Something that was decided, and the only thing that changes the state.
 *
 * <p>Events are the truth: the state is the fold of all events from the beginning. Applying one never decides anything; it throws
 * {@link IllegalStateException} when the event cannot follow what happened before, which is a bug or a damaged journal.
 */
public sealed interface Event permits PartitionEvent, NodeEvent, ApplicationEvent, TaskEvent {

    /** The partition it happened in. */
    String partition();

    /** When it was decided. */
    Instant at();

    /** Changes the state accordingly. */
    void apply(SchedulerState state);
}
