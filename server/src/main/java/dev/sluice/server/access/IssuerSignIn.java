package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signing in at an OpenID Connect issuer: the authorization code flow with PKCE (RFC 7636). The browser that begins
 * keeps a random value in a cookie, from which state, nonce and PKCE verifier are derived with a key of the server, so
 * nothing is stored until somebody has signed in. Thread-safe.
 */
public final class IssuerSignIn {

    /** The cookie of a browser that has begun to sign in. */
    public static final String COOKIE = "sluice-sign-in";

    /** Time within which people sign in at the issuer. */
    public static final Duration TIME_MAX = Duration.ofMinutes(10);

    /** Maximum number of codes exchanged at a time, so that others find a free thread. */
    static final int EXCHANGES_MAX = 16;

    /** Maximum number of completed sign-ins that are remembered, so that none is completed again. */
    static final int COMPLETED_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(IssuerSignIn.class);
    private static final String MAC = "HmacSHA256";
    private static final int SECRET_BYTES = 32;
    private static final int NEXT_LENGTH_MAX = 1500;
    private static final int REASON_LENGTH_MAX = 200;
    private static final Duration RETRY = Duration.ofSeconds(5);

    private final OidcSettings settings;
    private final SignInSettings signIn;
    private final OidcVerifier verifier;
    private final InstantSource clock;
    private final IssuerHttp http = new IssuerHttp();
    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec key;
    private final Semaphore exchanges = new Semaphore(EXCHANGES_MAX);
    private final Map<String, Instant> completed = new LinkedHashMap<>();

    /**
     * Where a browser goes to sign in.
     *
     * @param address the address at the issuer
     * @param cookie the value of the cookie that the browser must send back
     */
    public record BegunSignIn(String address, String cookie) {}

    /** Who has signed in, and the page to be opened next. */
    public record CompletedSignIn(Caller caller, String next) {}

    /** @param signIn how people sign in at the issuer of these settings */
    public IssuerSignIn(OidcSettings settings, SignInSettings signIn, OidcVerifier verifier, InstantSource clock) {
        this.settings = settings;
        this.signIn = signIn;
        this.verifier = verifier;
        this.clock = clock;
        this.key = new SecretKeySpec(randomBytes(), MAC);
    }

    /** Returns the name of the issuer for people. */
    public String issuer() {
        return settings.issuer().getHost();
    }

    /** Returns whether browsers reach this server over encrypted connections. */
    public boolean isEncrypted() {
        return "https".equals(signIn.redirect().getScheme());
    }

    /**
     * Begins to sign in; may block for a limited time.
     *
     * @param next the page to be opened afterwards
     */
    public BegunSignIn begin(String next) {
        IssuerEndpoints endpoints = endpoints();
        String cookie = text(randomBytes()) + "."
                + clock.instant().plus(TIME_MAX).getEpochSecond() + "."
                + (next.length() > NEXT_LENGTH_MAX ? "" : text(next.getBytes(UTF_8)));
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("response_type", "code");
        parameters.put("client_id", signIn.client());
        parameters.put("redirect_uri", signIn.redirect().toString());
        parameters.put("scope", String.join(" ", signIn.scopes()));
        parameters.put("state", derived("state", cookie));
        parameters.put("nonce", derived("nonce", cookie));
        parameters.put("code_challenge", challenge(derived("verifier", cookie)));
        parameters.put("code_challenge_method", "S256");
        URI page = endpoints.authorization();
        return new BegunSignIn(page + (page.getRawQuery() == null ? "?" : "&") + form(parameters), cookie);
    }

    /**
     * Completes what the issuer answers; may block for a limited time. Throws a {@link ProblemException} with a reason
     * for people if nobody has signed in.
     *
     * @param cookie the cookie of the browser, or null
     * @param answer the parameters that the issuer has added to the redirect address
     */
    public CompletedSignIn complete(@Nullable String cookie, Map<String, String> answer) {
        String next = requireOwn(cookie, answer.getOrDefault("state", ""));
        String from = answer.get("iss");
        if (from != null && !from.equals(settings.issuer().toString())) {
            throw refused("The answer is of another issuer: " + shortened(from) + ".");
        }
        String error = answer.get("error");
        if (error != null) {
            throw refused(issuer() + " has refused: " + described(error, answer.get("error_description")) + ".");
        }
        String code = answer.get("code");
        if (code == null) {
            throw refused("The answer of " + issuer() + " has no code.");
        }
        String bound = String.valueOf(cookie);
        Caller caller = verified(exchange(code, derived("verifier", bound)), derived("nonce", bound));
        if (caller.role() == Role.ANYONE) {
            throw ProblemException.of(
                    ProblemKind.FORBIDDEN,
                    "You are known here as " + caller.user() + ", but neither you nor your groups have a role. Ask an"
                            + " administrator of this server for one.");
        }
        requireFirst(bound);
        return new CompletedSignIn(caller, next);
    }

    /** Returns the next page of a sign-in that this browser has begun. */
    private String requireOwn(@Nullable String cookie, String state) {
        if (cookie == null || !MessageDigest.isEqual(derived("state", cookie).getBytes(UTF_8), state.getBytes(UTF_8))) {
            throw refused("This sign-in was not begun in this browser, or the server was restarted meanwhile. Sign in"
                    + " again.");
        }
        String[] parts = cookie.split("\\.", -1); // as written, because the state proves it
        if (Long.parseLong(parts[1]) <= clock.instant().getEpochSecond()) {
            throw refused("Signing in took longer than " + TIME_MAX.toMinutes() + " minutes. Sign in again.");
        }
        return new String(Base64.getUrlDecoder().decode(parts[2]), UTF_8);
    }

    private synchronized void requireFirst(String cookie) {
        Instant now = clock.instant();
        completed.values().removeIf(end -> !end.isAfter(now));
        if (completed.putIfAbsent(derived("state", cookie), now.plus(TIME_MAX)) != null) {
            throw refused("This sign-in has been completed before. Sign in again.");
        }
        if (completed.size() > COMPLETED_MAX) {
            Iterator<String> oldest = completed.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private IssuerEndpoints endpoints() {
        IssuerEndpoints endpoints;
        try {
            endpoints = verifier.endpoints();
        } catch (ProblemException e) {
            throw away("it cannot be reached", e);
        }
        if (endpoints == null) {
            throw refused(issuer() + " does not offer to sign in: its discovery document lacks authorization_endpoint"
                    + " or token_endpoint.");
        }
        return endpoints;
    }

    /** Returns the ID token for a code. */
    private String exchange(String code, String codeVerifier) {
        IssuerEndpoints endpoints = endpoints();
        if (!exchanges.tryAcquire()) {
            throw away("too many people sign in at the moment", null);
        }
        try {
            HttpResponse<String> response = http.send(request(endpoints, code, codeVerifier));
            Map<String, Object> fields = fields(response);
            String token = response.statusCode() == 200 ? JSONObjectUtils.getString(fields, "id_token") : null;
            if (token == null) {
                String error = JSONObjectUtils.getString(fields, "error");
                String reason = error == null
                        ? "status " + response.statusCode() + " without an ID token"
                        : described(error, JSONObjectUtils.getString(fields, "error_description"));
                LOG.warn("sign-in failed: issuer={} reason=\"{}\"", settings.issuer(), reason);
                throw refused(issuer() + " has not accepted the code: " + reason + ".");
            }
            return token;
        } catch (IOException | ParseException e) {
            LOG.warn("sign-in failed: issuer={} reason=\"{}\"", settings.issuer(), e.getMessage());
            throw away("the code could not be exchanged for a token", e);
        } finally {
            exchanges.release();
        }
    }

    private static Map<String, Object> fields(HttpResponse<String> response) throws ParseException {
        try {
            return JSONObjectUtils.parse(response.body());
        } catch (ParseException e) {
            if (response.statusCode() == 200) {
                throw e;
            }
            return Map.of(); // errors of proxies are pages
        }
    }

    private HttpRequest request(IssuerEndpoints endpoints, String code, String codeVerifier) throws IOException {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("grant_type", "authorization_code");
        parameters.put("code", code);
        parameters.put("redirect_uri", signIn.redirect().toString());
        parameters.put("code_verifier", codeVerifier);
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoints.token())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json");
        String secret = signIn.secret();
        if (secret == null || endpoints.secretInBody()) {
            parameters.put("client_id", signIn.client());
        }
        if (secret != null && endpoints.secretInBody()) {
            parameters.put("client_secret", secret);
        } else if (secret != null) {
            String pair = encoded(signIn.client()) + ":" + encoded(secret);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8)));
        }
        return request.POST(HttpRequest.BodyPublishers.ofString(form(parameters)))
                .build();
    }

    private Caller verified(String token, String nonce) {
        try {
            return verifier.verifyIdToken(token, signIn.client(), nonce);
        } catch (ProblemException e) {
            String reason = String.valueOf(e.problem().detail());
            LOG.warn("sign-in failed: issuer={} reason=\"{}\"", settings.issuer(), reason);
            throw e.kind() == ProblemKind.UNAVAILABLE
                    ? away("its keys cannot be read", e)
                    : refused("The ID token of " + issuer() + " is not valid: " + reason + ".");
        }
    }

    private static ProblemException refused(String detail) {
        return ProblemException.of(ProblemKind.UNAUTHENTICATED, detail);
    }

    private ProblemException away(String reason, @Nullable Exception cause) {
        return ProblemException.retry(
                ProblemKind.UNAVAILABLE,
                issuer() + " does not answer as it should: " + reason
                        + ". Try again in a moment, or sign in with a token.",
                RETRY,
                cause);
    }

    private static String described(String error, @Nullable String description) {
        return description == null ? shortened(error) : shortened(error) + " (" + shortened(description) + ")";
    }

    private static String shortened(String text) {
        return text.length() <= REASON_LENGTH_MAX ? text : text.substring(0, REASON_LENGTH_MAX) + "…";
    }

    private String derived(String purpose, String cookie) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            return text(mac.doFinal((purpose + " " + cookie).getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }

    private static String challenge(String codeVerifier) {
        try {
            return text(MessageDigest.getInstance("SHA-256").digest(codeVerifier.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private byte[] randomBytes() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + encoded(parameter.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
