/**
 * Runs tasks on this machine.
 *
 * <p>{@link dev.sluice.runtime.local.ProcessExecutor} is the executor of local processes: a server's, which survive it,
 * or those of a program that they end with ({@link dev.sluice.runtime.local.ProcessSettings}).
 *
 * <p>{@link dev.sluice.runtime.local.LocalRun} runs applications without a server: it starts runs for the engine's
 * events, and reports their ends to the engine. Its {@link dev.sluice.runtime.local.RunResult} and the
 * progress that a program shows are projections of these events;
 * {@link dev.sluice.runtime.local.ApplicationTallies} counts for both. With a
 * {@link dev.sluice.runtime.local.RunJournal} it can be resumed.
 */
package dev.sluice.runtime.local;
