package dev.sluice.server.access;

import dev.sluice.server.http.ListenSettings;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How callers reach a server, and how it knows them. It always accepts its own access tokens.
 *
 * @param insecure whether requests over TCP without a token are believed and may do everything
 * @param oidc the issuer whose tokens are accepted, or null
 * @param listen where the server listens
 * @param trustedProxies users who may speak for others
 * @param rateLimit how many requests a caller may send, or null for any number
 */
public record AccessSettings(
        boolean insecure,
        @Nullable OidcSettings oidc,
        ListenSettings listen,
        Set<String> trustedProxies,
        @Nullable RateLimit rateLimit) {

    /** Requests without a token may do everything; only TCP on the loopback address. */
    public static final AccessSettings INSECURE = new AccessSettings(true, null);

    /** Throws {@link IllegalArgumentException} if others could read requests or send them without credentials. */
    public AccessSettings {
        trustedProxies = Set.copyOf(trustedProxies);
        listen.requireSafe(insecure);
    }

    /** Creates settings with the default rate limit, or none if they are insecure. */
    public AccessSettings(
            boolean insecure, @Nullable OidcSettings oidc, ListenSettings listen, Set<String> trustedProxies) {
        this(insecure, oidc, listen, trustedProxies, insecure ? null : RateLimit.DEFAULT);
    }

    /** Creates settings of a server on the loopback address. */
    public AccessSettings(boolean insecure, @Nullable OidcSettings oidc) {
        this(insecure, oidc, ListenSettings.LOOPBACK, Set.of());
    }

    /** Returns a copy with this rate limit. */
    public AccessSettings withRateLimit(@Nullable RateLimit newLimit) {
        return new AccessSettings(insecure, oidc, listen, trustedProxies, newLimit);
    }
}
