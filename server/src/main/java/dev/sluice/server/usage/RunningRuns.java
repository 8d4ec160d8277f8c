package dev.sluice.server.usage;

import dev.sluice.runtime.journal.RunAccount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a partition that occupy resources at one instant.
 *
 * @param at the instant
 * @param last the last event before it: runs that released their resources up to this event are in the history
 */
public record RunningRuns(Instant at, long last, List<RunningRun> runs) {

    /** Copies the list. */
    public RunningRuns {
        runs = List.copyOf(runs);
    }

    /** A run that has not released its resources. */
    public record RunningRun(
            RunAccount account,
            String node,
            Instant placed,
            @Nullable Duration waited) {}
}
