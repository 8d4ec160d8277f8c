package dev.sluice.server.access;

import dev.sluice.server.route.Caller;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Callers by tokens that were verified with the same keys: verifying a signature takes longer than most requests.
 * Thread-safe.
 */
final class VerifiedTokens {

    /** Maximum number of tokens; when it is reached, all are verified again. */
    static final int TOKENS_MAX = 10_000;

    private record Verified(Caller caller, Instant end) {}

    private final Map<String, Verified> tokens = new ConcurrentHashMap<>();

    /** Returns the caller with this token, or null if it is not known or no longer valid. */
    @Nullable Caller find(String token, Instant now) {
        Verified verified = tokens.get(token);
        return verified == null || !verified.end().isAfter(now) ? null : verified.caller();
    }

    /**
     * Adds a valid token.
     *
     * @param end the first instant at which it is no longer valid
     */
    void add(String token, Caller caller, Instant end) {
        if (tokens.size() >= TOKENS_MAX) {
            tokens.clear();
        }
        tokens.put(token, new Verified(caller, end));
    }
}
