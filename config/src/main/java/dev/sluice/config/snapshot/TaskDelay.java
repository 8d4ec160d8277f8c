package dev.sluice.config.snapshot;

import java.time.Instant;

/**
 * A pending task that failed and runs again later.
 *
 * @param index its index, from 0
 * @param until when its next run may start
 */
public record TaskDelay(int index, Instant until) {}
