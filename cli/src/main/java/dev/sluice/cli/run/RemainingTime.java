package dev.sluice.cli.run;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.local.ApplicationTally;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when a run ends: the expected durations of the tasks that have not ended, less what running ones have
 * behind them, divided by the maximum number of tasks that ran at a time. Tasks without an expected duration count with
 * the observed mean of their application, or of all applications. Ignores dependencies.
 */
final class RemainingTime {

    private static final double MILLIS = 1000;

    /** Longer estimates say nothing, and do not fit an instant. */
    private static final double SECONDS_MAX = Duration.ofDays(36_500).toSeconds();

    private final Map<ApplicationTally, Observed> applications = new LinkedHashMap<>();
    private final Observed all = new Observed();
    private long runningMax;

    /** What was observed of the tasks of an application, in seconds; times are since the epoch. */
    private static final class Observed {
        private long running;
        private double allocated;
        private long succeeded;
        private double duration;

        private void placed(Instant at) {
            running++;
            allocated += seconds(at);
        }

        private void ended(TaskEvent.Ended ended) {
            running--;
            Instant placed = ended.allocation().placed();
            allocated -= seconds(placed);
            if (ended.outcome() == TaskOutcome.SUCCEEDED) {
                succeeded++;
                duration += Duration.between(placed, ended.at()).toMillis() / MILLIS;
            }
        }
    }

    private static double seconds(Instant at) {
        return at.toEpochMilli() / MILLIS;
    }

    /** @param tally has counted the event */
    void count(Event event, ApplicationTally tally) {
        if (event instanceof TaskEvent.Placed placed) {
            applications.computeIfAbsent(tally, key -> new Observed()).placed(placed.at());
            all.placed(placed.at());
            runningMax = Math.max(runningMax, all.running);
        } else if (event instanceof TaskEvent.Ended ended) {
            applications.computeIfAbsent(tally, key -> new Observed()).ended(ended);
            all.ended(ended);
        } else if (tally.state().isEnded()) {
            applications.remove(tally);
        } else {
            applications.computeIfAbsent(tally, key -> new Observed());
        }
    }

    /** Returns the estimated end, or null if too little is known. */
    @Nullable Instant end(Instant now) {
        double left = 0;
        for (Map.Entry<ApplicationTally, Observed> each : applications.entrySet()) {
            ApplicationTally tally = each.getKey();
            Observed own = each.getValue();
            Observed mean = own.succeeded > 0 ? own : all;
            double unknown =
                    tally.unexpectedTasks() == 0 ? 0 : tally.unexpectedTasks() * mean.duration / mean.succeeded;
            double behind = own.running * seconds(now) - own.allocated;
            left += Math.max(0, tally.expectedSeconds() + unknown - behind);
        }
        double seconds = left / runningMax;
        // not a number: nothing has run, or nothing is known about the durations
        return seconds <= SECONDS_MAX ? now.plusMillis((long) (seconds * MILLIS)) : null;
    }
}
