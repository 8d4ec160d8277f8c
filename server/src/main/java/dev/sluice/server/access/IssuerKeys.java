package dev.sluice.server.access;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final String DISCOVERY = "/.well-known/openid-configuration";

    private final URI issuer;
    private final LongSupplier nanos;
    private final IssuerHttp http = new IssuerHttp();
    private @Nullable KeySet keys;
    private @Nullable CompletableFuture<KeySet> inFlight;
    private long fetchedLast;
    private boolean hasFetched;

    /**
     * Keys that were fetched together, in the order of the issuer, and the tokens verified with them.
     *
     * @param endpoints where people sign in, or null
     */
    record KeySet(List<JWK> keys, @Nullable IssuerEndpoints endpoints, long fetched, VerifiedTokens verified) {

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
            fetched = load();
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

    private KeySet load() throws IOException {
        String base = issuer.toString();
        String prefix = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        try {
            Map<String, Object> discovery = JSONObjectUtils.parse(read(URI.create(prefix + DISCOVERY)));
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
            return new KeySet(
                    JWKSet.parse(read(location)).getKeys(),
                    IssuerEndpoints.of(discovery),
                    nanos.getAsLong(),
                    new VerifiedTokens());
        } catch (ParseException e) {
            throw new IOException("unreadable response: " + e.getMessage(), e);
        }
    }

    private String read(URI location) throws IOException {
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(location).build());
        if (response.statusCode() != 200) {
            throw new IOException(location + " responds with status " + response.statusCode());
        }
        return response.body();
    }
}
