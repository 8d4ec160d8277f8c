package dev.sluice.config.snapshot;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * An application that is submitted in a simulation, once or again and again.
 *
 * @param application what is submitted, first when it says; every task has a duration
 * @param times how often; {@link TaskSpec#SINGLE} for once, under its own id. Otherwise it is submitted as {@code nightly-0},
 *     {@code nightly-1} and so on, where {@code nightly} is its id, and all of them share its name
 * @param every how long after the first one the second one comes, and so on
 */
public record WorkloadSubmission(ApplicationEntry application, int times, Duration every) {

    /** The last instant at which something may be submitted. */
    public static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    /** The most times that an application may be submitted. */
    public static final int TIMES_MAX = 10_000_000;

    /** Throws {@link IllegalArgumentException} when a task has no duration, or a value is out of its range. */
    public WorkloadSubmission {
        if (application.tasks().isEmpty() || application.tasks().stream().anyMatch(task -> task.duration() == null)) {
            throw new IllegalArgumentException(application.id() + " needs tasks that have durations");
        }
        if (times < 0 || times > TIMES_MAX || every.isNegative()) {
            throw new IllegalArgumentException(times + " times every " + every);
        }
        if (isLate(application.submitted(), times, every)) {
            throw new IllegalArgumentException(application.id() + " is submitted after " + LAST);
        }
    }

    /** Whether the last of so many submissions is after {@link #LAST}. */
    static boolean isLate(Instant first, int times, Duration every) {
        return every.multipliedBy(Math.max(0, times - 1)).compareTo(Duration.between(first, LAST)) > 0;
    }

    /** How often it is submitted, at least 1. */
    public int size() {
        return times == TaskSpec.SINGLE ? 1 : times;
    }

    /** When the submission with this index is, from 0. */
    public Instant instant(int index) {
        return application.submitted().plus(every.multipliedBy(index));
    }

    /** What is submitted with this index, from 0: sealed, so that it ends with its last task. */
    public ApplicationSpec spec(int index) {
        ApplicationSpec spec = application.spec().withSealed(true);
        return times == TaskSpec.SINGLE ? spec : spec.withId(spec.id() + "-" + index);
    }

    /** How long each of the tasks runs, by the order of the specifications. */
    public List<Duration> durations() {
        return application.tasks().stream()
                .map(task -> Objects.requireNonNull(task.duration()))
                .toList();
    }
}
