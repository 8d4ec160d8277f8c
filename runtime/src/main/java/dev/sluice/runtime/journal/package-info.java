/**
 * The journal: the durable sequence of events from which the scheduler state is restored.
 *
 * <p>{@link dev.sluice.runtime.journal.Journal} writes the result of one batch of the loop, a list of
 * {@link dev.sluice.runtime.journal.JournalEntry} (a {@link dev.sluice.runtime.journal.Cause} and its events), as a
 * {@link dev.sluice.runtime.journal.StoredBatch} of bytes to a {@link dev.sluice.runtime.journal.JournalStore},
 * together with each {@link dev.sluice.runtime.journal.HistoryRecord} for later queries.
 * {@link dev.sluice.runtime.journal.Replay} restores a {@link dev.sluice.runtime.journal.Restored} scheduler from the
 * latest checkpoint and the batches after it. {@link dev.sluice.runtime.journal.Checkpoints} creates checkpoints in the
 * background, and makes the store discard obsolete data according to {@link dev.sluice.runtime.journal.Retention}.
 * Every failure is a {@link dev.sluice.runtime.journal.StoreException}.
 *
 * <p>{@code dev.sluice.runtime.journal.codec} defines the byte format. Stores are in other modules; the tests contain
 * one in memory with fault injection.
 */
package dev.sluice.runtime.journal;
