package dev.sluice.server.routes;

import dev.sluice.config.field.DurationText;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Equal steps of a span of the past, as the parameters {@code from}, {@code to} and {@code step} say. */
record HistorySteps(Instant from, Duration step, int count) {

    /** The maximum number of steps. */
    static final int STEPS_MAX = 1_000;

    static final String STEP_TEXT = "Length of a step, such as 5m or 1d; defaults to 1h.";
    static final String FROM_TEXT = "Beginning of the first step, as an instant; defaults to 24 steps before to.";
    static final String TO_TEXT = "End, as an instant; defaults to now. Rounded up to a whole step.";

    private static final Duration STEP_DEFAULT = Duration.ofHours(1);
    private static final int STEPS_DEFAULT = 24;

    /** Returns the steps that a call asks for; throws a problem if they are invalid. */
    static HistorySteps of(Call call, Instant now) {
        Duration step = step(call.query("step"));
        Instant to = HistoryRoutes.instant(call, "to", now);
        Instant from = HistoryRoutes.instant(call, "from", to.minus(step.multipliedBy(STEPS_DEFAULT)));
        if (!from.isBefore(to)) {
            throw ProblemException.of(ProblemKind.INVALID, "from must be before to: " + from + " is not before " + to);
        }
        long count = Duration.between(from, to).plus(step).minusNanos(1).dividedBy(step);
        if (count > STEPS_MAX) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "more than " + STEPS_MAX + " steps: choose longer steps or a shorter interval");
        }
        return new HistorySteps(from, step, (int) count);
    }

    private static Duration step(@Nullable String text) {
        try {
            Duration step = text == null ? STEP_DEFAULT : DurationText.parse(text);
            if (step.compareTo(Duration.ofSeconds(1)) >= 0) {
                return step;
            }
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.INVALID, "step: " + e.getMessage());
        }
        throw ProblemException.of(ProblemKind.INVALID, "step must be at least 1s, not " + text);
    }
}
