package dev.sluice.runtime.host;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import java.util.List;

/** Derives the history records that are written with events. Called on the host's thread, as events are decided. */
@FunctionalInterface
public interface HistoryRecorder {

    /** Records nothing. */
    HistoryRecorder NONE = (sequence, cause, event, state) -> List.of();

    /**
     * Returns the history records of this event.
     *
     * @param cause what caused it
     * @param state the state after the command or cycle that decided the event. It will forget runs and applications
     *     that have ended, so this is the only time at which all of them can be recorded.
     */
    List<HistoryRecord> record(long sequence, Cause cause, Event event, SchedulerState state);
}
