package dev.sluice.simulator.workload;

import dev.sluice.core.application.ApplicationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * An application that is submitted, and how long its tasks will run: what a workload is made of.
 *
 * @param submitted when
 * @param partition the partition it is submitted to
 * @param application what is submitted; sealed, so that it ends with its last task
 * @param durations how long each of its tasks runs, from its start to its end, by the order of its specifications: all the tasks of one
 *     specification run for the same time; never negative
 */
public record Arrival(Instant submitted, String partition, ApplicationSpec application, List<Duration> durations) {

    /** Copies the list; throws {@link IllegalArgumentException} when it does not fit the tasks. */
    public Arrival {
        durations = List.copyOf(durations);
        if (durations.size() != application.tasks().size()) {
            throw new IllegalArgumentException(application.id() + " has "
                    + application.tasks().size() + " kinds of tasks and " + durations.size() + " durations");
        }
        for (Duration duration : durations) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("a task of " + application.id() + " runs for " + duration);
            }
        }
    }

    /** The same at another time. */
    public Arrival at(Instant newSubmitted) {
        return new Arrival(newSubmitted, partition, application, durations);
    }

    /** The same application with something else asked for. */
    public Arrival with(ApplicationSpec newApplication) {
        return new Arrival(submitted, partition, newApplication, durations);
    }
}
