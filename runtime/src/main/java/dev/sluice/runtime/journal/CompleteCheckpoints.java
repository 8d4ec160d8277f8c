package dev.sluice.runtime.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A journal from which a complete state is restored, as far as possible: without the checkpoints of earlier versions,
 * which lack parts of the state, unless the events before them were discarded.
 */
record CompleteCheckpoints(JournalReader journal) implements JournalReader {

    @Override
    public long lastSequence() {
        return journal.lastSequence();
    }

    @Override
    public long firstSequence() throws StoreException {
        return journal.firstSequence();
    }

    @Override
    public void read(long after, JournalStore.BatchReader reader) throws StoreException {
        journal.read(after, reader);
    }

    @Override
    public JournalStore.@Nullable Checkpoint checkpointBefore(long sequence) throws StoreException {
        JournalStore.Checkpoint found = journal.checkpointBefore(sequence);
        while (found != null && journal.firstSequence() <= 1 && !isCurrentVersion(journal, found.sequence())) {
            long before = found.sequence();
            close(found);
            found = journal.checkpointBefore(before);
        }
        return found;
    }

    /** Returns whether a checkpoint has the version that this release writes, or is unreadable. */
    static boolean isCurrentVersion(JournalReader journal, long sequence) throws StoreException {
        try (JournalStore.Checkpoint checkpoint = journal.checkpointBefore(sequence + 1)) {
            return checkpoint == null || CheckpointContent.isCurrentVersion(checkpoint.content());
        } catch (IOException e) {
            return true; // whoever reads it reports that
        }
    }

    private static void close(JournalStore.Checkpoint checkpoint) throws StoreException {
        try {
            checkpoint.close();
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "cannot close a checkpoint: " + e, e);
        }
    }
}
