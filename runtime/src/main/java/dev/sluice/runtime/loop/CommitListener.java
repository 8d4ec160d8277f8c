package dev.sluice.runtime.loop;

import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.JournalEntry;
import java.util.List;

/** Receives committed entries, on the thread of the loop; must not block. */
@FunctionalInterface
public interface CommitListener {

    /**
     * Called when these entries are durable.
     *
     * @param first the sequence number of the first event
     * @param state the state after the last event; read-only, and only valid during the call
     */
    void committed(long first, List<JournalEntry> entries, SchedulerState state);
}
