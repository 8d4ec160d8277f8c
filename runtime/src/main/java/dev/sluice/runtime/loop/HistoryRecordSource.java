package dev.sluice.runtime.loop;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.HistoryRecord;
import org.jspecify.annotations.Nullable;

/** Derives history records from events. */
@FunctionalInterface
public interface HistoryRecordSource {

    /**
     * Returns the history record of this event, or null.
     *
     * @param state the state just after the event; read-only, and only valid during the call
     */
    @Nullable HistoryRecord project(long sequence, Event event, SchedulerState state);
}
