package dev.sluice.runtime.loop;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.HistoryRecord;
import org.jspecify.annotations.Nullable;

/** Knows what is kept beside the events for people to look up. */
@FunctionalInterface
public interface HistoryRecordSource {

    /** What is kept because of this event, or null. The state is as it is just after the event; only to be read, and only now. */
    @Nullable HistoryRecord project(long sequence, Event event, SchedulerState state);
}
