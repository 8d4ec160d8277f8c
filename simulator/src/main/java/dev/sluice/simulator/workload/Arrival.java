package dev.sluice.simulator.workload;

import dev.sluice.core.application.ApplicationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The submission of an application, with the run times of its tasks: an element of a workload.
 *
 * @param submitted the time of submission
 * @param partition the partition
 * @param application the application; sealed, so that it ends with its last task
 * @param durations the run time of each task by the order of the specifications: all tasks of one specification run for
 *     the same time; never negative
 */
public record Arrival(Instant submitted, String partition, ApplicationSpec application, List<Duration> durations) {

    /** @throws IllegalArgumentException if the durations do not match the tasks */
    public Arrival {
        durations = List.copyOf(durations);
        if (durations.size() != application.tasks().size()) {
            throw new IllegalArgumentException(application.id() + " has "
                    + application.tasks().size() + " task specifications but " + durations.size() + " durations");
        }
        for (Duration duration : durations) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException(
                        "duration of a task of " + application.id() + " must not be negative: " + duration);
            }
        }
    }

    /** Returns the same arrival at another time. */
    public Arrival at(Instant newSubmitted) {
        return new Arrival(newSubmitted, partition, application, durations);
    }

    /** Returns the same arrival with another application. */
    public Arrival with(ApplicationSpec newApplication) {
        return new Arrival(submitted, partition, newApplication, durations);
    }
}
