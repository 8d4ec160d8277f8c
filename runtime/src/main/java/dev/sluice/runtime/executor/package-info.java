/**
 * The contract between a scheduler's host and whatever executes its tasks.
 *
 * <p>{@link dev.sluice.runtime.executor.Executor} lists the guarantees, which one test holds for every implementation.
 * A {@link dev.sluice.runtime.executor.RunStart} says what to start, an
 * {@link dev.sluice.runtime.executor.ExecutorListener} receives the reports, among them how a run ended
 * ({@link dev.sluice.runtime.executor.RunExit}). An executor knows runs, not the scheduler: the host turns events into
 * calls and reports into commands.
 */
package dev.sluice.runtime.executor;
