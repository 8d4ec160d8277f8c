package dev.sluice.config.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * What the configuration of a partition does not tell.
 *
 * @param partition its name
 * @param seed of its random generator; null: that of the snapshot
 * @param throttle the most tasks that may hold a place at once; null: as many as fit
 */
public record PartitionEntry(
        String partition, @Nullable Long seed, @Nullable Integer throttle) {

    /** Throws {@link IllegalArgumentException} for a throttle below 0. */
    public PartitionEntry {
        if (throttle != null && throttle < 0) {
            throw new IllegalArgumentException("a throttle is 0 or more: " + throttle);
        }
    }
}
