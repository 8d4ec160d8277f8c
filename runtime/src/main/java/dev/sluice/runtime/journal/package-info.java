/**
 * The journal: what happened, kept so that the state can be made again.
 *
 * <p>{@link dev.sluice.runtime.journal.Journal} writes what one pass of the loop brought about, a list of
 * {@link dev.sluice.runtime.journal.JournalEntry} (a {@link dev.sluice.runtime.journal.Cause} and its events), as a
 * {@link dev.sluice.runtime.journal.StoredBatch} of bytes to a {@link dev.sluice.runtime.journal.JournalStore}, together with what people
 * look up later (a {@link dev.sluice.runtime.journal.HistoryRecord}). {@link dev.sluice.runtime.journal.Replay} makes a
 * {@link dev.sluice.runtime.journal.Restored} scheduler of the latest checkpoint and the batches after it, and
 * {@link dev.sluice.runtime.journal.Checkpoints} makes checkpoints beside, and lets the store discard by
 * {@link dev.sluice.runtime.journal.Retention}. Whatever can go wrong is a {@link dev.sluice.runtime.journal.StoreException}.
 *
 * <p>What the bytes mean is told by {@code dev.sluice.runtime.journal.codec}. Stores are elsewhere; one in memory that fails on demand
 * is among the tests.
 */
package dev.sluice.runtime.journal;
