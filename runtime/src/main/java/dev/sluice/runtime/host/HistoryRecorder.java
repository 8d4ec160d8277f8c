package dev.sluice.runtime.host;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.journal.HistoryRecord;
import org.jspecify.annotations.Nullable;

/** Derives the history records that are written with events. Called on the host's thread, as events are decided. */
public interface HistoryRecorder {

    /** Records nothing. */
    HistoryRecorder NONE = new HistoryRecorder() {
        @Override
        public @Nullable HistoryRecord record(long sequence, Event event) {
            return null;
        }

        @Override
        public @Nullable HistoryRecord ended(
                long sequence, ApplicationEvent.StateChanged event, Partition partition, Application application) {
            return null;
        }
    };

    /** Returns the history record of this event, or null. */
    @Nullable HistoryRecord record(long sequence, Event event);

    /**
     * Returns the history record of the event with which this application ended, or null. The state will forget the
     * application, so this is the only time at which all of it can be recorded.
     */
    @Nullable HistoryRecord ended(
            long sequence, ApplicationEvent.StateChanged event, Partition partition, Application application);
}
