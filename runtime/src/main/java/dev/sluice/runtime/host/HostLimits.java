package dev.sluice.runtime.host;

import java.time.Duration;

/**
 * The limits of a host.
 *
 * @param inbox the maximum number of pending requests; more are rejected
 * @param batch the maximum number of transactions per batch
 * @param retained the number of ended applications retained per partition; the oldest are forgotten first
 * @param retry the maximum delay between two attempts to write the journal
 */
public record HostLimits(int inbox, int batch, int retained, Duration retry) {

    /** The default limits. */
    public static final HostLimits DEFAULT = new HostLimits(20_000, 2_000, 10_000, Duration.ofSeconds(1));

    /** Throws {@link IllegalArgumentException} if a limit is not positive, or {@code retained} is negative. */
    public HostLimits {
        if (inbox < 1 || batch < 1 || retained < 0 || retry.isNegative() || retry.isZero()) {
            throw new IllegalArgumentException(
                    "inbox, batch and retry must be greater than 0, retained must not be negative");
        }
    }
}
