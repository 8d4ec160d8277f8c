/**
 * The scheduler as something that goes on: one thread, one inbox, a journal.
 *
 * <p>{@link dev.sluice.runtime.loop.SchedulerLoop} is the thread. What is wanted of it is a
 * {@link dev.sluice.runtime.loop.Transaction}, which gets a {@link dev.sluice.runtime.loop.TransactionContext} to work at. Everything that happens
 * goes to a {@link dev.sluice.runtime.loop.BatchLog}, and from there, once it is safe, to a
 * {@link dev.sluice.runtime.loop.CommitListener} and to the {@link dev.sluice.runtime.loop.Effects}.
 *
 * <p>A {@link dev.sluice.runtime.loop.IncrementalQuery} that may look at much is asked through {@link dev.sluice.runtime.loop.IncrementalQueryRunner}, in pieces of
 * at most 5 ms.
 */
package dev.sluice.runtime.loop;
