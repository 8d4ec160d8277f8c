package dev.sluice.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.sluice.server.access.IssuerKeys.KeySet;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the tokens of an OpenID Connect issuer: JSON Web Tokens (RFC 7519) with a signature by ES256 or RS256. A
 * token with an unknown key waits until the keys of the issuer have been fetched, for a limited time.
 */
public final class OidcVerifier implements BearerAuthenticator.TokenVerifier {

    /** Maximum difference between the clocks of issuer and server. */
    static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

    /** Maximum number of callers that wait for keys, so that others find a free thread. */
    static final int WAITING_MAX = 16;

    private static final String CLOCKS = ": do the clocks of the issuer and this server agree?";
    private static final int USER_LENGTH_MAX = 256;
    private static final Duration WAIT_MAX = IssuerHttp.REQUEST_TIMEOUT.multipliedBy(2);

    private final OidcSettings settings;
    private final InstantSource clock;
    private final IssuerKeys issuerKeys;
    private final Semaphore waiting = new Semaphore(WAITING_MAX);

    private OidcVerifier(OidcSettings settings, InstantSource clock, IssuerKeys issuerKeys) {
        this.settings = settings;
        this.clock = clock;
        this.issuerKeys = issuerKeys;
    }

    /** Starts to fetch the keys of an issuer, and does not wait for them. */
    public static OidcVerifier start(OidcSettings settings, InstantSource clock) {
        return start(settings, clock, System::nanoTime);
    }

    static OidcVerifier start(OidcSettings settings, InstantSource clock, LongSupplier nanos) {
        IssuerKeys issuerKeys = new IssuerKeys(settings.issuer(), nanos);
        CompletableFuture<KeySet> unused = issuerKeys.fetch();
        return new OidcVerifier(settings, clock, issuerKeys);
    }

    @Override
    public @Nullable Caller verifyNow(String token) {
        KeySet known = issuerKeys.known();
        Caller caller = known == null ? null : known.verified().find(token, clock.instant());
        if (caller != null) {
            return caller;
        }
        ParsedToken parsed = parse(token, settings.audience(), "");
        List<JWK> matching = matching(known, parsed.header());
        if (known != null && !matching.isEmpty()) {
            return remembered(token, parsed, known, matching);
        }
        if (issuerKeys.fetch() == null) {
            throw unknownKey(known);
        }
        return null;
    }

    @Override
    public Caller verify(String token) {
        ParsedToken parsed = parse(token, settings.audience(), "");
        KeySet known = keys(parsed);
        return remembered(token, parsed, known, matching(known, parsed.header()));
    }

    /**
     * Returns who has signed in; may block for a limited time. Throws a {@link ProblemException} if the token is not
     * one for this client and sign-in.
     *
     * @param nonce the value that the token must contain, because the sign-in began with it
     */
    Caller verifyIdToken(String token, String client, String nonce) {
        ParsedToken parsed = parse(token, client, CLOCKS);
        try {
            JWTClaimsSet claims = parsed.jwt().getJWTClaimsSet();
            Date issued = claims.getIssueTime();
            if (issued != null && issued.toInstant().minus(CLOCK_SKEW).isAfter(clock.instant())) {
                throw BearerAuthenticator.unauthenticated("the token is issued in the future" + CLOCKS);
            }
            if (!nonce.equals(claims.getStringClaim("nonce"))) {
                throw BearerAuthenticator.unauthenticated("the token is of another sign-in");
            }
            String party = claims.getStringClaim("azp");
            if (party != null && !party.equals(client)) {
                throw BearerAuthenticator.unauthenticated("the token is for another client");
            }
        } catch (ParseException e) {
            throw BearerAuthenticator.unauthenticated("the claims of the token are malformed");
        }
        KeySet known = keys(parsed);
        requireSignature(parsed, matching(known, parsed.header()));
        return parsed.caller();
    }

    /** Returns where people sign in, or null; may block for a limited time. */
    @Nullable IssuerEndpoints endpoints() {
        KeySet known = issuerKeys.known();
        if (known == null) {
            CompletableFuture<KeySet> fetch = issuerKeys.fetch();
            known = fetch == null ? issuerKeys.known() : await(fetch);
        }
        if (known == null) {
            throw unavailable();
        }
        return known.endpoints();
    }

    /** Returns keys that match a token; fetches them if none is known. */
    private KeySet keys(ParsedToken parsed) {
        KeySet known = issuerKeys.known();
        if (matching(known, parsed.header()).isEmpty()) {
            CompletableFuture<KeySet> fetch = issuerKeys.fetch();
            known = fetch == null ? issuerKeys.known() : await(fetch);
        }
        if (known == null || matching(known, parsed.header()).isEmpty()) {
            throw unknownKey(known);
        }
        return known;
    }

    private KeySet await(CompletableFuture<KeySet> fetch) {
        if (!waiting.tryAcquire()) {
            throw unavailable();
        }
        try {
            return fetch.get(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw unavailable();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable();
        } finally {
            waiting.release();
        }
    }

    /** A token whose claims hold, if its signature does. */
    private record ParsedToken(SignedJWT jwt, JWSHeader header, Caller caller, Instant end) {}

    /** @param hint what may explain that the token is not valid at this time */
    private ParsedToken parse(String token, String audience, String hint) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            JWSHeader header = jwt.getHeader();
            JWSAlgorithm algorithm = header.getAlgorithm();
            if (!JWSAlgorithm.ES256.equals(algorithm) && !JWSAlgorithm.RS256.equals(algorithm)) {
                throw BearerAuthenticator.unauthenticated("the token is signed by neither ES256 nor RS256");
            }
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            Instant end = end(claims, hint);
            return new ParsedToken(jwt, header, caller(claims, audience).until(end), end);
        } catch (ParseException | IllegalArgumentException e) {
            throw BearerAuthenticator.unauthenticated("the token is neither an access token nor a signed JWT");
        }
    }

    private Caller caller(JWTClaimsSet claims, String audience) throws ParseException {
        if (!settings.issuer().toString().equals(claims.getIssuer())) {
            throw BearerAuthenticator.unauthenticated("the token is of another issuer");
        }
        if (!claims.getAudience().contains(audience)) {
            throw BearerAuthenticator.unauthenticated("the token is for another audience");
        }
        String user = claims.getStringClaim(settings.userClaim());
        if (user == null
                || user.isBlank()
                || user.length() > USER_LENGTH_MAX
                || user.chars().anyMatch(Character::isISOControl)) {
            throw BearerAuthenticator.unauthenticated(
                    "the claim " + settings.userClaim() + " of the token is not a user name");
        }
        List<String> groups = groups(claims.getClaim(settings.groupsClaim()));
        return new Caller(user.strip(), groups, settings.roleOf(groups), Caller.Source.OIDC);
    }

    /** Returns when a token that is valid now expires. */
    private Instant end(JWTClaimsSet claims, String hint) {
        Instant now = clock.instant();
        Date expires = claims.getExpirationTime();
        if (expires == null || !expires.toInstant().plus(CLOCK_SKEW).isAfter(now)) {
            throw BearerAuthenticator.unauthenticated("the token has expired" + hint);
        }
        Date begins = claims.getNotBeforeTime();
        if (begins != null && begins.toInstant().minus(CLOCK_SKEW).isAfter(now)) {
            throw BearerAuthenticator.unauthenticated("the token is not valid yet" + hint);
        }
        return expires.toInstant().plus(CLOCK_SKEW);
    }

    private static List<String> groups(@Nullable Object claim) {
        if (claim instanceof String group) {
            return List.of(group);
        }
        return claim instanceof List<?> list
                ? list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .toList()
                : List.of();
    }

    private static List<JWK> matching(@Nullable KeySet keys, JWSHeader header) {
        String id = header.getKeyID();
        return keys == null
                ? List.of()
                : keys.keys().stream()
                        .filter(key -> id == null || id.equals(key.getKeyID()))
                        .filter(key -> JWSAlgorithm.ES256.equals(header.getAlgorithm())
                                ? key instanceof ECKey
                                : key instanceof RSAKey)
                        .filter(key ->
                                key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                        .filter(key ->
                                key.getAlgorithm() == null || Objects.equals(key.getAlgorithm(), header.getAlgorithm()))
                        .toList();
    }

    private static Caller remembered(String text, ParsedToken token, KeySet known, List<JWK> matching) {
        requireSignature(token, matching);
        known.verified().add(text, token.caller(), token.end());
        return token.caller();
    }

    private static void requireSignature(ParsedToken token, List<JWK> matching) {
        for (JWK key : matching) {
            try {
                JWSVerifier verifier =
                        key instanceof ECKey curve ? new ECDSAVerifier(curve) : new RSASSAVerifier(key.toRSAKey());
                if (token.jwt().verify(verifier)) {
                    return;
                }
            } catch (JOSEException e) {
                // a key of another curve cannot have signed the token
            }
        }
        throw BearerAuthenticator.unauthenticated("the signature of the token is invalid");
    }

    private static ProblemException unknownKey(@Nullable KeySet known) {
        return known == null
                ? unavailable()
                : BearerAuthenticator.unauthenticated("the token is signed with an unknown key");
    }

    private static ProblemException unavailable() {
        return ProblemException.retry(
                ProblemKind.UNAVAILABLE,
                "cannot verify the token: the keys of its issuer cannot be read",
                IssuerKeys.INTERVAL_MIN,
                null);
    }
}
