package dev.sluice.runtime.loop;

import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.journal.JournalEntry;
import java.util.List;

/** Is told what is safely in the journal, on the thread of the loop: whoever needs time for it takes it elsewhere. */
@FunctionalInterface
public interface CommitListener {

    /**
     * These entries are written.
     *
     * @param first the sequence number of the first event
     * @param state as it is after the last event; only to be read, and only now
     */
    void committed(long first, List<JournalEntry> entries, SchedulerState state);
}
