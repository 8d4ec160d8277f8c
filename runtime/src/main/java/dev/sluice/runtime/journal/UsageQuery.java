package dev.sluice.runtime.journal;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects what runs used: those that were placed before the end of an interval and released their resources at or after
 * its beginning.
 *
 * @param partition the partition of the runs
 * @param from the beginning of the interval
 * @param to its end
 * @param last the last event to consider
 * @param nodes whether nodes are read, too
 */
public record UsageQuery(String partition, Instant from, Instant to, long last, boolean nodes) {

    /** Receives runs, in the order in which they released their resources. */
    @FunctionalInterface
    public interface UsageReader {
        /**
         * Receives a run.
         *
         * @param account equal accounts are the same object
         * @param node the node; empty unless requested
         * @param placedNanos when it was allocated, in nanoseconds since 1970
         * @param releasedNanos when its resources were released, in nanoseconds since 1970
         * @param waitedNanos how long the task waited; null if unknown
         * @param cpuNanos the processor time that it had used; null if unknown
         */
        void read(
                RunAccount account,
                String node,
                long placedNanos,
                long releasedNanos,
                @Nullable Long waitedNanos,
                RunEnd end,
                @Nullable Long cpuNanos);
    }
}
