package dev.sluice.cli;

import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.RateLimit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for how many requests a caller of a server may send. */
final class RateLimitOptions {

    private static final String NONE = "none";

    @Option(
            names = "--rate-limit",
            paramLabel = "N",
            description =
                    "Requests per second of each caller, or none; 30 seconds' worth may come at once. Default: 2000"
                            + " for users and for addresses without a token, if tokens are required; not for root and the"
                            + " server's user on the socket.")
    private @Nullable String limit;

    /** Returns settings with this limit if there is one; throws {@link UserException} if it is invalid. */
    AccessSettings applyTo(AccessSettings settings) {
        if (limit == null) {
            return settings;
        }
        if (limit.equals(NONE)) {
            return settings.withRateLimit(null);
        }
        try {
            return settings.withRateLimit(new RateLimit(Integer.parseInt(limit), true));
        } catch (IllegalArgumentException e) {
            throw new UserException("--rate-limit must be none or a whole number between 1 and "
                    + RateLimit.PER_SECOND_MAX + ", not " + limit);
        }
    }
}
