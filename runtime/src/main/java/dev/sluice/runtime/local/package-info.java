/**
 * Runs applications on this machine without a server.
 *
 * <p>{@link dev.sluice.runtime.local.LocalRun} is the loop: the engine's events become processes, the ends of processes become
 * reports to the engine. A {@link dev.sluice.runtime.local.RunListener} watches, and a {@link dev.sluice.runtime.local.RunResult} says what became of it.
 */
package dev.sluice.runtime.local;
