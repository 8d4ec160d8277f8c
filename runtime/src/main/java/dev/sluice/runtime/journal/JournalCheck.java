package dev.sluice.runtime.journal;

import dev.sluice.core.state.SchedulerState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a journal without changing it: folds the batches from the first event on, or those after the oldest
 * checkpoint if earlier events were discarded, and compares the folded state with every later checkpoint. Only
 * checkpoints of the version that this release writes are compared, and folded from: an earlier one lacks parts of the
 * state. Takes the time of a replay of the whole journal and the memory of two states.
 *
 * @param first the sequence number of the first event; greater than {@code last} if there are none
 * @param last the sequence number of the last event
 * @param checkpoints the number of readable checkpoints
 */
public record JournalCheck(long first, long last, int checkpoints) {

    /**
     * Verifies a journal.
     *
     * @param problems receives problems of checkpoints, which do not prevent a start
     * @throws StoreException if the journal is damaged; the message names the event and a remedy
     */
    public static JournalCheck of(JournalReader journal, Consumer<String> problems) throws StoreException {
        long first = journal.firstSequence();
        JournalReader complete = new CompleteCheckpoints(journal);
        boolean isFoldable = first <= 1;
        int readable = 0;
        for (long sequence : checkpoints(journal)) {
            byte[] stored = stored(journal, sequence, problems);
            if (stored == null) {
                continue;
            }
            boolean isComplete = CompleteCheckpoints.isCurrentVersion(journal, sequence);
            if (isFoldable && isComplete && !MessageDigest.isEqual(stored, folded(new Part(complete, sequence)))) {
                problems.accept("the checkpoint of event " + sequence
                        + " differs from the state that the events before it lead to. Keep a backup, and report this"
                        + " as a bug");
            }
            isFoldable = first <= 1 || isComplete;
            readable++;
        }
        Restored restored = Replay.of(journal, ReplayListener.NONE);
        return new JournalCheck(first, restored.sequence(), readable);
    }

    /** Returns the sequence numbers of all checkpoints, ascending. */
    private static Deque<Long> checkpoints(JournalReader journal) throws StoreException {
        Deque<Long> sequences = new ArrayDeque<>();
        for (long before = Long.MAX_VALUE; ; before = sequences.getFirst()) {
            try (JournalStore.Checkpoint checkpoint = journal.checkpointBefore(before)) {
                if (checkpoint == null) {
                    return sequences;
                }
                sequences.addFirst(checkpoint.sequence());
            } catch (IOException e) {
                throw new StoreException(StoreException.Kind.UNAVAILABLE, "cannot close a checkpoint: " + e, e);
            }
        }
    }

    /** Returns the digest of a checkpoint's state; null if it is unreadable. */
    private static byte @Nullable [] stored(JournalReader journal, long sequence, Consumer<String> problems)
            throws StoreException {
        try (JournalStore.Checkpoint checkpoint = journal.checkpointBefore(sequence + 1);
                InputStream content = checkpoint == null ? InputStream.nullInputStream() : checkpoint.content()) {
            return digest(CheckpointContent.read(content).state());
        } catch (IOException e) {
            problems.accept(e.getMessage() + ". The server starts from an earlier checkpoint or the whole journal");
            return null;
        }
    }

    private static byte[] folded(JournalReader journal) throws StoreException {
        try {
            return digest(Replay.of(journal, ReplayListener.NONE).scheduler().state());
        } catch (IOException e) {
            throw new IllegalStateException("a state cannot be encoded", e);
        }
    }

    private static byte[] digest(SchedulerState state) throws IOException {
        try (DigestOutputStream out =
                new DigestOutputStream(OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
            CheckpointContent.write(state, out);
            return out.getMessageDigest().digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }

    /** A journal up to an event, with the checkpoints before that event. */
    private record Part(JournalReader journal, long lastSequence) implements JournalReader {

        @Override
        public long firstSequence() throws StoreException {
            return journal.firstSequence();
        }

        @Override
        public void read(long after, JournalStore.BatchReader reader) throws StoreException {
            if (after < lastSequence) {
                journal.read(after, batch -> reader.read(batch) && batch.last() < lastSequence);
            }
        }

        @Override
        public JournalStore.@Nullable Checkpoint checkpointBefore(long sequence) throws StoreException {
            return journal.checkpointBefore(Math.min(sequence, lastSequence));
        }
    }
}
