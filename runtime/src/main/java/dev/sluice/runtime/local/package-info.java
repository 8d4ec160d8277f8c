/**
 * Runs applications on this machine without a server.
 *
 * <p>{@link dev.sluice.runtime.local.LocalRun} is the main loop: it starts processes for the engine's events, and
 * reports the ends of processes to the engine. A {@link dev.sluice.runtime.local.RunListener} observes the run; a
 * {@link dev.sluice.runtime.local.RunResult} is its result.
 */
package dev.sluice.runtime.local;
