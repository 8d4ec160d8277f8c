package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An OpenID Connect issuer that signs with its own keys. */
public final class TestIssuer implements AutoCloseable {

    private static final String AUDIENCE = "sluice";

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile List<JWK> keys;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    public TestIssuer(JWK... keys) throws IOException {
        this.keys = List.of(keys);
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/.well-known/openid-configuration", exchange -> {
            awaitGate();
            answer(exchange, "{\"issuer\": \"" + address() + "\", \"jwks_uri\": \"" + address() + "/keys\"}");
        });
        http.createContext("/keys", exchange -> {
            fetches.incrementAndGet();
            answer(exchange, new JWKSet(this.keys).toPublicJWKSet().toString());
        });
        http.start();
    }

    private void awaitGate() throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    /** Returns settings that accept its tokens. */
    public OidcSettings settings(Map<String, Role> roles) {
        return new OidcSettings(
                address(), AUDIENCE, OidcSettings.USER_CLAIM, OidcSettings.GROUPS_CLAIM, new TreeMap<>(roles));
    }

    /** Replaces the keys that it publishes. */
    void publish(JWK... newKeys) {
        keys = List.of(newKeys);
    }

    /** Blocks its responses until {@link #release}. */
    public void block() {
        gate = new CountDownLatch(1);
    }

    public void release() {
        gate.countDown();
    }

    /** Returns how often its keys were read. */
    int fetches() {
        return fetches.get();
    }

    /** Returns the claims of a valid token at an instant. */
    public JWTClaimsSet.Builder claims(String user, Instant now) {
        return new JWTClaimsSet.Builder()
                .issuer(address().toString())
                .audience(List.of("other", AUDIENCE))
                .subject(user)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)));
    }

    /** Returns a signed token. */
    public static String sign(JWK key, JWTClaimsSet claims) throws JOSEException {
        boolean curve = key instanceof ECKey;
        JWSSigner signer = curve ? new ECDSASigner(key.toECKey()) : new RSASSASigner(key.toRSAKey());
        SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(curve ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256)
                        .keyID(key.getKeyID())
                        .build(),
                claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    @Override
    public void close() {
        release();
        http.stop(0);
        threads.shutdownNow();
    }
}
