package dev.sluice.server.access;

import dev.sluice.runtime.journal.AccessToken;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Knows callers by the token in the header {@code Authorization: Bearer TOKEN}. */
public final class BearerAuthenticator implements Authenticator {

    private static final String SCHEME = "bearer ";

    private final AccessTokens tokens;
    private final @Nullable TokenVerifier issuer;
    private final boolean insecure;

    /** Verifies the tokens of an issuer. */
    public interface TokenVerifier {

        /** Returns the caller; may block for a limited time. Throws a {@link ProblemException} if it is invalid. */
        Caller verify(String token);

        /** Same as {@link #verify}, but returns null if it would have to block. */
        @Nullable Caller verifyNow(String token);
    }

    /**
     * @param issuer verifies tokens of an issuer; null if there is none
     * @param insecure whether requests without a token are believed and may do everything
     */
    public BearerAuthenticator(AccessTokens tokens, @Nullable TokenVerifier issuer, boolean insecure) {
        this.tokens = tokens;
        this.issuer = issuer;
        this.insecure = insecure;
    }

    @Override
    public Caller authenticate(Credentials credentials) {
        String token = token(credentials);
        Caller caller = own(credentials, token);
        if (caller == null) {
            caller = verifier().verify(String.valueOf(token));
        }
        return caller;
    }

    @Override
    public @Nullable Caller known(Credentials credentials) {
        String token = token(credentials);
        Caller caller = own(credentials, token);
        if (caller == null) {
            caller = verifier().verifyNow(String.valueOf(token));
        }
        return caller;
    }

    private TokenVerifier verifier() {
        TokenVerifier verifier = issuer;
        if (verifier == null) {
            throw unauthenticated("the token is not an access token of this server");
        }
        return verifier;
    }

    /** Returns the token in a header {@code Authorization}; null if it is absent or has none. */
    static @Nullable String token(@Nullable String header) {
        return header != null && header.toLowerCase(Locale.ROOT).startsWith(SCHEME)
                ? header.substring(SCHEME.length()).strip()
                : null;
    }

    private @Nullable String token(Credentials credentials) {
        String header = credentials.authorization();
        String token = token(header);
        if (token == null && header != null && !header.isBlank() && !insecure) {
            throw unauthenticated("the header Authorization must be Bearer TOKEN");
        }
        return token;
    }

    /** Returns the caller, or null if the token is one for the issuer. */
    private @Nullable Caller own(Credentials credentials, @Nullable String token) {
        if (token != null && token.startsWith(AccessTokens.PREFIX)) {
            AccessToken found = tokens.find(token);
            Role role = found == null ? null : Role.of(found.role());
            if (found == null || role == null) {
                throw unauthenticated("the access token is unknown, expired or revoked");
            }
            return new Caller(found.user(), List.of(), role, Caller.Source.TOKEN).until(found.expires());
        }
        if (token == null || (insecure && issuer == null)) {
            return insecure ? Caller.unverified(credentials.user()) : Caller.UNKNOWN;
        }
        return null;
    }

    static ProblemException unauthenticated(String detail) {
        return ProblemException.of(ProblemKind.UNAUTHENTICATED, detail);
    }
}
