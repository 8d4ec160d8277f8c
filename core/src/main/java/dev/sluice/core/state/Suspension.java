package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long a run has been suspended since it started.
 *
 * @param since the start of the latest suspension, or null if it was resumed
 * @param before the total of the suspensions before
 */
record Suspension(@Nullable Instant since, Duration before) {

    void writeTo(PartitionCheckpointWriter out) {
        out.optional(since);
        out.sink().duration(before);
    }

    static Suspension readFrom(PartitionCheckpointReader in) {
        return new Suspension(in.optionalInstant(), in.duration());
    }

    /** Returns the time from the start of the run, or zero before it. */
    Duration total(@Nullable Instant started, Instant now) {
        if (since == null || started == null) {
            return before;
        }
        Instant from = since.isAfter(started) ? since : started;
        return from.isBefore(now) ? before.plus(Duration.between(from, now)) : before;
    }
}
