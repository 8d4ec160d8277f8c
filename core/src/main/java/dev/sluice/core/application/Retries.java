package dev.sluice.core.application;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when a task runs again after a failure.
 *
 * @param times how often it runs again
 * @param delay the time between a failure and the first retry, at most {@link #DELAY_MAX}
 * @param backoff the factor by which the delay grows from one retry to the next, at least 1
 * @param exitCodes the exit codes after which it runs again, in ascending order; empty: after every failure
 */
public record Retries(int times, Duration delay, double backoff, List<Integer> exitCodes) {

    /** The maximum delay before a retry, including its growth. */
    public static final Duration DELAY_MAX = Duration.ofDays(1);

    /** The maximum factor by which the delay grows. */
    public static final int BACKOFF_MAX = 100;

    /** The maximum exit code. */
    public static final int EXIT_CODE_MAX = 255;

    /** The task does not run again after a failure. */
    public static final Retries NONE = of(0);

    /** Throws {@link IllegalArgumentException} if a value is out of range or has no effect. */
    public Retries {
        if (times < 0) {
            throw new IllegalArgumentException("retries must be 0 or greater: " + times);
        }
        if (delay.isNegative() || delay.compareTo(DELAY_MAX) > 0) {
            throw new IllegalArgumentException("delay must be between 0 and " + DELAY_MAX + ": " + delay);
        }
        if (!(backoff >= 1 && backoff <= BACKOFF_MAX)) {
            throw new IllegalArgumentException("backoff must be between 1 and " + BACKOFF_MAX + ": " + backoff);
        }
        exitCodes = List.copyOf(exitCodes);
        for (int i = 0; i < exitCodes.size(); i++) {
            int code = exitCodes.get(i);
            if (code < 1 || code > EXIT_CODE_MAX || (i > 0 && code <= exitCodes.get(i - 1))) {
                throw new IllegalArgumentException(
                        "exit codes must be between 1 and " + EXIT_CODE_MAX + ", in ascending order: " + exitCodes);
            }
        }
        if (times == 0 && !(delay.isZero() && exitCodes.isEmpty())) {
            throw new IllegalArgumentException("delay and exit codes have no effect without retries");
        }
        if (delay.isZero() && backoff != 1) {
            throw new IllegalArgumentException("backoff has no effect without a delay");
        }
    }

    /** Returns retries without delay after every failure. */
    public static Retries of(int times) {
        return new Retries(times, Duration.ZERO, 1, List.of());
    }

    /** Returns whether a failure with this exit code permits a retry; null if the run has none. */
    public boolean permits(@Nullable Integer exitCode) {
        return exitCodes.isEmpty() || (exitCode != null && exitCodes.contains(exitCode));
    }

    /** Returns the delay before this retry, from 1: {@code delay × backoff^(retry - 1)}, at most {@link #DELAY_MAX}. */
    public Duration delayBefore(int retry) {
        // the strict version gives the same result on every machine
        double nanos = delay.toNanos() * StrictMath.pow(backoff, retry - 1.0);
        return nanos < DELAY_MAX.toNanos() ? Duration.ofNanos((long) nanos) : DELAY_MAX;
    }

    /** Covers all components, see {@link TaskKind#hashCode}. */
    @Override
    public int hashCode() {
        return 31 * (31 * (31 * times + delay.hashCode()) + Double.hashCode(backoff)) + exitCodes.hashCode();
    }
}
