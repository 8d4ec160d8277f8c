package dev.sluice.server.access;

import org.jspecify.annotations.Nullable;

/**
 * How a server knows its callers. It always accepts its own access tokens.
 *
 * @param insecure whether requests without a token are believed and may do everything
 * @param oidc the issuer whose tokens are accepted, or null
 */
public record AccessSettings(boolean insecure, @Nullable OidcSettings oidc) {

    /** Requests without a token may do everything. */
    public static final AccessSettings INSECURE = new AccessSettings(true, null);
}
