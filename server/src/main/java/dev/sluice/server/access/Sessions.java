package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.route.Caller;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of people who are signed in to the page, and one-time codes that begin them; in memory, so they end with the
 * server. Their ids have 256 random bits. Thread-safe.
 */
public final class Sessions {

    /** How long a session lasts. */
    public static final Duration SESSION_MAX = Duration.ofHours(12);

    /** How long a one-time code is valid. */
    public static final Duration CODE_MAX = Duration.ofSeconds(60);

    /** Maximum number of sessions; the oldest end first. */
    static final int SESSIONS_MAX = 10_000;

    /** Maximum number of codes that are not used yet; the oldest end first. */
    static final int CODES_MAX = 1_000;

    private static final int SECRET_BYTES = 32;
    private static final String MAC = "HmacSHA256";

    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final SecretKeySpec formKey;
    private final Map<String, Session> sessions = new LinkedHashMap<>();
    private final Map<String, Session> codes = new LinkedHashMap<>();

    /**
     * Who is signed in.
     *
     * @param caller the user, as known when the session began
     * @param authorization the header {@code Authorization} that is verified again with each request; null if the
     *     kernel named the caller
     * @param ends when it ends
     */
    public record Session(Caller caller, @Nullable String authorization, Instant ends) {
        @Override
        public String toString() {
            return "Session[" + caller.user() + "]";
        }
    }

    public Sessions(InstantSource clock) {
        this.clock = clock;
        this.formKey = new SecretKeySpec(randomBytes(), MAC);
    }

    /** Begins a session and returns its id. */
    public synchronized String begin(Caller caller, @Nullable String authorization) {
        return add(sessions, SESSIONS_MAX, new Session(caller, authorization, ends(caller, SESSION_MAX)));
    }

    /** Returns a code with which a session of this caller can be begun once. */
    public synchronized String code(Caller caller, @Nullable String authorization) {
        return add(codes, CODES_MAX, new Session(caller, authorization, ends(caller, CODE_MAX)));
    }

    /** Begins the session of a code and returns its id; null if the code is unknown, used or expired. */
    public synchronized @Nullable String redeem(String code) {
        Session named = codes.remove(digest(code));
        return named == null || !named.ends().isAfter(clock.instant())
                ? null
                : begin(named.caller(), named.authorization());
    }

    /** Returns the session with this id; null if it is unknown or has ended. */
    public synchronized @Nullable Session find(String id) {
        Session session = sessions.get(digest(id));
        return session == null || !session.ends().isAfter(clock.instant()) ? null : session;
    }

    /** Ends a session. */
    public synchronized void end(String id) {
        sessions.remove(digest(id));
    }

    /**
     * Returns the token that forms of a page must send: other sites cannot read it.
     *
     * @param session the id of the session; empty if there is none
     */
    public String formToken(String session) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(formKey);
            return text(mac.doFinal(session.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + MAC, e);
        }
    }

    /** Returns whether a form was part of a page of this session. */
    public boolean isFormToken(String session, String token) {
        return MessageDigest.isEqual(formToken(session).getBytes(UTF_8), token.getBytes(UTF_8));
    }

    private Instant ends(Caller caller, Duration max) {
        Instant latest = clock.instant().plus(max);
        Instant expires = caller.expires();
        return expires != null && expires.isBefore(latest) ? expires : latest;
    }

    private String add(Map<String, Session> among, int max, Session session) {
        Instant now = clock.instant();
        among.values().removeIf(other -> !other.ends().isAfter(now));
        if (among.size() >= max) {
            Iterator<String> oldest = among.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        String secret = text(randomBytes());
        among.put(digest(secret), session);
        return secret;
    }

    private byte[] randomBytes() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Sessions are found by a digest, so the time of a comparison tells nothing about an id. */
    private static String digest(String secret) {
        try {
            return text(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
