package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.journal.AccessToken;
import dev.sluice.runtime.journal.AccessTokenStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.route.Role;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The access tokens of a server. A secret has 256 random bits and is returned once; only its digest is kept, so whoever
 * reads the database cannot use it. All tokens are in memory, which changes after the store. Thread-safe.
 */
public final class AccessTokens {

    /** What all secrets begin with, so that people and scanners recognise them. */
    public static final String PREFIX = "slc_";

    /** Maximum number of tokens of a user. */
    static final int TOKENS_PER_USER_MAX = 1000;

    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 6;

    private final AccessTokenStore store;
    private final InstantSource clock;
    private final Map<String, AccessToken> byDigest = new ConcurrentHashMap<>();

    /**
     * A new token.
     *
     * @param secret what authenticates its user; {@link #toString} leaves it out
     */
    public record CreatedToken(AccessToken token, String secret) {
        @Override
        public String toString() {
            return "CreatedToken[" + token.id() + "]";
        }
    }

    /** Thrown when a user has too many tokens. */
    public static final class TooManyTokensException extends Exception {

        private static final long serialVersionUID = 1;

        TooManyTokensException(String user) {
            super("user " + user + " has " + TOKENS_PER_USER_MAX + " tokens, the maximum: revoke some");
        }
    }

    private AccessTokens(AccessTokenStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Reads the stored tokens. */
    public static AccessTokens load(AccessTokenStore store, InstantSource clock) throws StoreException {
        AccessTokens tokens = new AccessTokens(store, clock);
        for (AccessToken token : store.all()) {
            tokens.byDigest.put(token.digest(), token);
        }
        return tokens;
    }

    /** Creates and stores a token; removes the expired ones. */
    public synchronized CreatedToken create(String user, Role role, String name, Instant expires)
            throws StoreException, TooManyTokensException {
        Instant now = clock.instant();
        if (byDigest.values().removeIf(token -> isExpired(token, now))) {
            store.removeExpired(now);
        }
        if (byDigest.values().stream()
                        .filter(token -> token.user().equals(user))
                        .count()
                >= TOKENS_PER_USER_MAX) {
            throw new TooManyTokensException(user);
        }
        SecureRandom random = new SecureRandom();
        byte[] secretBytes = new byte[SECRET_BYTES];
        random.nextBytes(secretBytes);
        byte[] idBytes = new byte[ID_BYTES];
        random.nextBytes(idBytes);
        String secret = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secretBytes);
        AccessToken token = new AccessToken(
                HexFormat.of().formatHex(idBytes), digest(secret), name, user, role.wireName(), now, expires);
        store.add(token);
        byDigest.put(token.digest(), token);
        return new CreatedToken(token, secret);
    }

    /** Returns the token with this secret; null if it is unknown, expired or revoked. Never blocks. */
    public @Nullable AccessToken find(String secret) {
        AccessToken token = byDigest.get(digest(secret));
        return token == null || isExpired(token, clock.instant()) ? null : token;
    }

    /** Returns the valid tokens, oldest first. */
    public List<AccessToken> all() {
        Instant now = clock.instant();
        return byDigest.values().stream()
                .filter(token -> !isExpired(token, now))
                .sorted(Comparator.comparing(AccessToken::created).thenComparing(AccessToken::id))
                .toList();
    }

    /** Revokes a token: it is invalid when this method returns. */
    public synchronized void revoke(AccessToken token) throws StoreException {
        store.remove(token.id());
        byDigest.remove(token.digest());
    }

    private static boolean isExpired(AccessToken token, Instant now) {
        return !token.expires().isAfter(now);
    }

    private static String digest(String secret) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
