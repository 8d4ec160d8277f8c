/**
 * The long-running scheduler: one thread, one inbox, one journal.
 *
 * <p>{@link dev.sluice.runtime.loop.SchedulerLoop} is the thread. It executes each
 * {@link dev.sluice.runtime.loop.Transaction} with a {@link dev.sluice.runtime.loop.TransactionContext}. All events are
 * written to a {@link dev.sluice.runtime.loop.BatchLog} and, once they are durable, passed to a
 * {@link dev.sluice.runtime.loop.CommitListener} and to the {@link dev.sluice.runtime.loop.Effects}.
 *
 * <p>{@link dev.sluice.runtime.loop.IncrementalQueryRunner} executes a long
 * {@link dev.sluice.runtime.loop.IncrementalQuery} in steps of at most 5 ms.
 */
package dev.sluice.runtime.loop;
