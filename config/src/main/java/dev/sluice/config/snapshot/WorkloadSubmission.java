package dev.sluice.config.snapshot;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * An application that is submitted in a simulation, once or repeatedly.
 *
 * @param application the application with the instant of its first submission; every task has a duration
 * @param times the number of submissions; {@link TaskSpec#SINGLE} for one under its own id. Otherwise the ids are
 *     {@code nightly-0}, {@code nightly-1} and so on, where {@code nightly} is its id, and all submissions share its
 *     name
 * @param every the time between two submissions
 */
public record WorkloadSubmission(ApplicationEntry application, int times, Duration every) {

    /** The last possible instant of a submission. */
    public static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    /** The maximum number of submissions of an application. */
    public static final int TIMES_MAX = 10_000_000;

    /** Throws {@link IllegalArgumentException} when a task has no duration, or a value is out of its range. */
    public WorkloadSubmission {
        if (application.tasks().isEmpty() || application.tasks().stream().anyMatch(task -> task.duration() == null)) {
            throw new IllegalArgumentException(application.id() + " needs tasks with durations");
        }
        if (times < 0 || times > TIMES_MAX || every.isNegative()) {
            throw new IllegalArgumentException("invalid repetition: " + times + " times every " + every);
        }
        if (isLate(application.submitted(), times, every)) {
            throw new IllegalArgumentException(application.id() + " must not be submitted after " + LAST);
        }
    }

    /** Returns whether the last of {@code times} submissions is after {@link #LAST}. */
    static boolean isLate(Instant first, int times, Duration every) {
        return every.multipliedBy(Math.max(0, times - 1)).compareTo(Duration.between(first, LAST)) > 0;
    }

    /** Returns the number of submissions, at least 1. */
    public int size() {
        return times == TaskSpec.SINGLE ? 1 : times;
    }

    /** Returns the instant of the submission with this index, from 0. */
    public Instant instant(int index) {
        return application.submitted().plus(every.multipliedBy(index));
    }

    /**
     * Returns the specification of the submission with this index, from 0. It is sealed, so that it ends with its last
     * task.
     */
    public ApplicationSpec spec(int index) {
        ApplicationSpec spec = application.spec().withSealed(true);
        return times == TaskSpec.SINGLE ? spec : spec.withId(spec.id() + "-" + index);
    }

    /** Returns the durations of the tasks, in the order of the specifications. */
    public List<Duration> durations() {
        return application.tasks().stream()
                .map(task -> Objects.requireNonNull(task.duration()))
                .toList();
    }
}
