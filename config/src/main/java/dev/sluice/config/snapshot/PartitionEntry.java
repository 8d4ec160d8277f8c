package dev.sluice.config.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Settings of a partition that are not in its configuration.
 *
 * @param partition the name of the partition
 * @param seed its random seed; null: that of the snapshot
 * @param throttle the maximum number of allocated tasks; null: no limit
 */
public record PartitionEntry(
        String partition, @Nullable Long seed, @Nullable Integer throttle) {

    /** Throws {@link IllegalArgumentException} for a throttle below 0. */
    public PartitionEntry {
        if (throttle != null && throttle < 0) {
            throw new IllegalArgumentException("throttle must be 0 or more: " + throttle);
        }
    }
}
