package dev.sluice.core.state;

import dev.sluice.core.application.Deadline;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When runs are expected to end: by their time limit, else by the expected duration of the task, else never.
 *
 * <p>A run that lasts longer is expected to end {@link #OVERRUN_MIN} later, then after twice as long again, and so on:
 * a time that follows from the run and the current time alone.
 */
public final class ExpectedEnd {

    /** How much longer a run is expected to last at first when it has not ended as expected. */
    public static final Duration OVERRUN_MIN = Duration.ofSeconds(30);

    /** The end of a run that is not expected to end. */
    public static final Instant NEVER = Instant.MAX;

    private ExpectedEnd() {}

    /** Returns how long a task of this group is expected to run at most, or null if that is unknown. */
    public static @Nullable Duration durationOf(TaskGroup group) {
        Duration own = group.kind().attempts().timeout();
        return orExpected(own != null ? own : group.application().queue().taskTimeout(), group);
    }

    private static @Nullable Duration orExpected(@Nullable Duration limit, TaskGroup group) {
        return limit != null ? limit : group.expectedDuration().isZero() ? null : group.expectedDuration();
    }

    /** Returns whether this run is expected to end at all. */
    static boolean isKnown(Task task) {
        return !task.isSuspended() && durationOf(task) != null;
    }

    /** Returns whether the end of this run is known, or will be when the run is resumed. */
    public static boolean mayBeKnown(Task task) {
        return durationOf(task) != null;
    }

    private static @Nullable Duration durationOf(Task task) {
        if (task.startedAt() != null) {
            return orExpected(task.timeout(), task.group());
        }
        Duration own = task.kind().attempts().timeout();
        return orExpected(own != null ? own : task.application().queue().taskTimeout(), task.group());
    }

    /** Returns when this run was expected to end when it started, whatever the time is now; {@link #NEVER} if never. */
    public static Instant planned(Task task, Instant now) {
        Instant started = task.startedAt();
        Duration duration = durationOf(task);
        if (duration == null || task.isSuspended()) {
            return NEVER;
        }
        return Deadline.after((started == null ? task.placedAt() : started).plus(task.suspendedTime(now)), duration);
    }

    /** Returns when this run is expected to end, after {@code now}; {@link #NEVER} if never. */
    public static Instant of(Task task, Instant now) {
        Instant end = planned(task, now);
        Duration longer = OVERRUN_MIN;
        Instant expected = end;
        while (!expected.isAfter(now)) {
            expected = end.plus(longer);
            longer = longer.multipliedBy(2).plus(OVERRUN_MIN);
        }
        return expected;
    }
}
