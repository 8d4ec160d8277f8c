package dev.sluice.server;

import dev.sluice.runtime.host.BatchLog;
import dev.sluice.runtime.journal.Checkpoints;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.Journal;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import java.time.Instant;
import java.util.List;

/** Writes batches to the journal and informs the checkpoints. */
record CheckpointedJournal(Journal journal, Checkpoints checkpoints) implements BatchLog {

    @Override
    public long nextSequence() {
        return journal.lastSequence() + 1;
    }

    @Override
    public void append(List<JournalEntry> entries, List<HistoryRecord> historyRecords, Instant at)
            throws StoreException {
        checkpoints.appended(journal.append(entries, historyRecords, at));
    }

    @Override
    public void appendHistory(List<HistoryRecord> historyRecords) throws StoreException {
        journal.appendHistory(historyRecords);
    }
}
