package dev.sluice.server.access;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signature keys of an issuer. A thread of its own fetches them, so an issuer that is slow or down delays only
 * callers whose key is unknown. Thread-safe.
 */
final class IssuerKeys {

    /** Time between two fetches, however many tokens name unknown keys. */
    static final Duration INTERVAL_MIN = Duration.ofSeconds(10);

    /** Age from which keys are fetched again, so that the issuer can withdraw one. */
    static final Duration AGE_FRESH = Duration.ofHours(1);

    /** Age from which keys are not used while the issuer is down. */
    static final Duration AGE_MAX = Duration.ofHours(24);

    /** Time limit of one request to the issuer; a fetch has two. */
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final String DISCOVERY = "/.well-known/openid-configuration";

    private final URI issuer;
    private final LongSupplier nanos;
    private @Nullable KeySet keys;
    private @Nullable CompletableFuture<KeySet> inFlight;
    private long fetchedLast;
    private boolean hasFetched;

    /** Keys that were fetched together, in the order of the issuer, and the tokens verified with them. */
    record KeySet(List<JWK> keys, long fetched, VerifiedTokens verified) {

        KeySet {
            keys = List.copyOf(keys);
        }
    }

    /** @param nanos a monotonic clock */
    IssuerKeys(URI issuer, LongSupplier nanos) {
        this.issuer = issuer;
        this.nanos = nanos;
    }

    /** Returns the known keys, or null; never blocks. Fetches them in the background if they are not fresh. */
    synchronized @Nullable KeySet known() {
        KeySet known = keys;
        if (known == null) {
            return null;
        }
        long age = nanos.getAsLong() - known.fetched();
        if (age >= AGE_FRESH.toNanos()) {
            CompletableFuture<KeySet> unused = fetch();
        }
        return age < AGE_MAX.toNanos() ? known : null;
    }

    /** Returns the fetch that is in flight or starts one; returns null if the last one was too recent. */
    synchronized @Nullable CompletableFuture<KeySet> fetch() {
        if (inFlight != null) {
            return inFlight;
        }
        long now = nanos.getAsLong();
        if (hasFetched && now - fetchedLast < INTERVAL_MIN.toNanos()) {
            return null;
        }
        hasFetched = true;
        fetchedLast = now;
        CompletableFuture<KeySet> fetch = new CompletableFuture<>();
        inFlight = fetch;
        Thread thread = new Thread(() -> run(fetch), "issuer keys");
        thread.setDaemon(true);
        thread.start();
        return fetch;
    }

    private void run(CompletableFuture<KeySet> fetch) {
        KeySet fetched = null;
        Exception failure = null;
        try {
            fetched = new KeySet(load(), nanos.getAsLong(), new VerifiedTokens());
        } catch (IOException | RuntimeException e) {
            failure = e;
            LOG.warn("cannot read the keys of the issuer: issuer={} reason=\"{}\"", issuer, e.getMessage());
        } finally {
            synchronized (this) {
                inFlight = null;
                if (fetched != null) {
                    keys = fetched;
                }
            }
            if (fetched != null) {
                fetch.complete(fetched);
            } else {
                fetch.completeExceptionally(failure == null ? new IllegalStateException("fetch failed") : failure);
            }
        }
    }

    private List<JWK> load() throws IOException {
        HttpClient http = HttpClient.newBuilder()
                .connectTimeout(REQUEST_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        String base = issuer.toString();
        String prefix = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        try {
            Map<String, Object> discovery = JSONObjectUtils.parse(read(http, URI.create(prefix + DISCOVERY)));
            String named = JSONObjectUtils.getString(discovery, "issuer");
            if (!base.equals(named)) {
                throw new IOException("the discovery document is of another issuer: " + named);
            }
            String address = JSONObjectUtils.getString(discovery, "jwks_uri");
            if (address == null) {
                throw new IOException("the discovery document has no jwks_uri");
            }
            URI location = URI.create(address);
            OidcSettings.requireSecure("jwks_uri", location);
            return JWKSet.parse(read(http, location)).getKeys();
        } catch (ParseException e) {
            throw new IOException("unreadable response: " + e.getMessage(), e);
        }
    }

    private static String read(HttpClient http, URI location) throws IOException {
        CompletableFuture<HttpResponse<String>> answer =
                http.sendAsync(HttpRequest.newBuilder(location).build(), BodyHandlers.ofString());
        try {
            HttpResponse<String> response = answer.get(REQUEST_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != 200) {
                throw new IOException(location + " responds with status " + response.statusCode());
            }
            return response.body();
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException(location + " did not respond within " + REQUEST_TIMEOUT.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            String reason = e.getCause() == null ? null : e.getCause().getMessage(); // none if nothing listens
            throw new IOException("cannot connect to " + location + (reason == null ? "" : ": " + reason), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
