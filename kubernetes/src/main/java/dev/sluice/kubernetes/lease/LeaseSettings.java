package dev.sluice.kubernetes.lease;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a leader is elected.
 *
 * @param name the name of the lease, in the namespace of the client
 * @param duration how long others wait after the last renewal before they take over
 * @param identity the name of this server, different from all others
 * @param pod the pod of this server, which has a label while it is the leader; null for none
 */
public record LeaseSettings(
        String name,
        Duration duration,
        String identity,
        @Nullable String pod) {

    /** The default of {@code duration}. */
    public static final Duration DURATION_DEFAULT = Duration.ofSeconds(15);

    /** The minimum of {@code duration}: leases count whole seconds. */
    public static final Duration DURATION_MIN = Duration.ofSeconds(3);

    private static final Duration RENEWAL_MAX = Duration.ofSeconds(2);
    private static final Duration RETRY_MAX = Duration.ofSeconds(1);

    /** Throws {@link IllegalArgumentException} if the duration is too short, or a name is empty. */
    public LeaseSettings {
        if (name.isEmpty() || identity.isEmpty() || duration.compareTo(DURATION_MIN) < 0) {
            throw new IllegalArgumentException("lease " + name + " of " + identity + " for " + duration);
        }
    }

    /** Returns how long after a renewal a leader remains one; the rest of the duration is left for its end. */
    Duration deadline() {
        return duration.multipliedBy(2).dividedBy(3);
    }

    /** Returns the time between two renewals. */
    Duration renewal() {
        return shorter(RENEWAL_MAX);
    }

    /** Returns the time between two attempts of a server that is not the leader, or could not renew. */
    Duration retry() {
        return shorter(RETRY_MAX);
    }

    /** Returns how long an answer of the API server may take. */
    Duration timeout() {
        return duration.dividedBy(5);
    }

    private Duration shorter(Duration maximum) {
        Duration part = duration.dividedBy(6);
        return part.compareTo(maximum) < 0 ? part : maximum;
    }
}
