/**
 * Reads the state again and again: {@link dev.sluice.server.sampling.PeriodicSampler} at equal pauses, and
 * {@link dev.sluice.server.sampling.WaitSampler} why applications wait.
 */
package dev.sluice.server.sampling;
