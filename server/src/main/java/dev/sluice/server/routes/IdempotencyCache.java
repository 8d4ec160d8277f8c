package dev.sluice.server.routes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Remembers the responses of requests with an idempotency key, so that a repeated request gets the same response and
 * has no effect. The number and the age of the entries are limited.
 */
public final class IdempotencyCache {

    /** The header with the idempotency key. */
    public static final String HEADER = "Idempotency-Key";

    /** Maximum length of a key, in characters. */
    public static final int KEY_LENGTH_MAX = 256;

    private final int max;
    private final Duration age;
    private final JsonMapper json;
    private final Map<String, HistoryRecord.IdempotencyRecord> records = new LinkedHashMap<>();

    /**
     * Creates a cache with the stored entries.
     *
     * @param kept the entries, oldest first
     * @param max the maximum number of entries
     * @param age how long entries are kept
     */
    public IdempotencyCache(Collection<HistoryRecord.IdempotencyRecord> kept, int max, Duration age, JsonMapper json) {
        this.max = max;
        this.age = age;
        this.json = json;
        kept.forEach(this::remember);
    }

    /**
     * The idempotency key of a request. Each verified user has keys of their own.
     *
     * @param key the key as it is stored
     * @param name the key as given
     * @param fingerprint a digest of the request
     */
    public record IdempotencyKey(String key, String name, String fingerprint) {}

    /** Returns the key of a call, or null if it has none. */
    public static @Nullable IdempotencyKey keyOf(Call call, String path) {
        String key = call.header(HEADER);
        if (key == null) {
            return null;
        }
        if (key.isEmpty() || key.length() > KEY_LENGTH_MAX) {
            throw ProblemException.of(
                    ProblemKind.INVALID, HEADER + " must have 1 to " + KEY_LENGTH_MAX + " characters");
        }
        Caller caller = call.caller();
        return new IdempotencyKey(
                caller.isVerified() ? caller.user() + "\n" + key : key,
                key,
                fingerprint(path + "\n" + call.actor() + "\n" + call.text()));
    }

    private static String fingerprint(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }

    /**
     * Returns the remembered response of this key; otherwise executes the request and remembers its response if
     * successful. Only on the scheduler's thread.
     */
    public ApiResponse executeOnce(
            @Nullable IdempotencyKey key, TransactionContext context, Function<TransactionContext, ApiResponse> work) {
        if (key == null) {
            return work.apply(context);
        }
        expire(context.now());
        HistoryRecord.IdempotencyRecord known = records.get(key.key());
        if (known != null) {
            if (!known.fingerprint().equals(key.fingerprint())) {
                throw ProblemException.of(
                        ProblemKind.KEY_REUSED,
                        "idempotency key " + key.name() + " was used for a different request at " + known.at()
                                + "; use a new key per request");
            }
            return replayed(known);
        }
        ApiResponse answer = work.apply(context);
        HistoryRecord.IdempotencyRecord kept = new HistoryRecord.IdempotencyRecord(
                key.key(), key.fingerprint(), answer.status(), json.writeValueAsString(answer.body()), context.now());
        remember(kept);
        context.addHistoryRecord(kept);
        return answer;
    }

    /**
     * Returns the remembered response of this key, or null. For requests that can no longer be parsed because what they
     * name has been removed. Only on the scheduler's thread.
     */
    public @Nullable ApiResponse replay(IdempotencyKey key, TransactionContext context) {
        expire(context.now());
        HistoryRecord.IdempotencyRecord known = records.get(key.key());
        return known == null || !known.fingerprint().equals(key.fingerprint()) ? null : replayed(known);
    }

    private static ApiResponse replayed(HistoryRecord.IdempotencyRecord known) {
        return new ApiResponse(known.status(), new ApiResponse.TextBody("application/json", known.answer()), Map.of())
                .withHeader("Idempotency-Replayed", "true");
    }

    private void remember(HistoryRecord.IdempotencyRecord kept) {
        records.put(kept.key(), kept);
        if (records.size() > max) {
            Iterator<String> oldest = records.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    private void expire(Instant now) {
        Iterator<HistoryRecord.IdempotencyRecord> oldest = records.values().iterator();
        while (oldest.hasNext() && oldest.next().at().plus(age).isBefore(now)) {
            oldest.remove();
        }
    }
}
