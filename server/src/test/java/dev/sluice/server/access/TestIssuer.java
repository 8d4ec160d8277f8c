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
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An OpenID Connect issuer that signs with its own keys. */
public final class TestIssuer implements AutoCloseable {

    private static final String AUDIENCE = "sluice";

    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile List<JWK> keys;
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private volatile UnaryOperator<JWTClaimsSet.Builder> changed = UnaryOperator.identity();
    private volatile TokenAnswer tokenAnswer = this::exchange;
    private volatile Map<String, String> lastExchange = Map.of();

    public TestIssuer(JWK... keys) throws IOException {
        this.keys = List.of(keys);
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/.well-known/openid-configuration", exchange -> {
            awaitGate();
            answer(
                    exchange,
                    "{\"issuer\": \"" + address() + "\", \"jwks_uri\": \"" + address()
                            + "/keys\", \"authorization_endpoint\": \"" + address()
                            + "/authorize?tenant=a\", \"token_endpoint\": \"" + address() + "/token\"}");
        });
        http.createContext("/keys", exchange -> {
            fetches.incrementAndGet();
            answer(exchange, new JWKSet(this.keys).toPublicJWKSet().toString());
        });
        http.createContext("/authorize", this::authorize);
        http.createContext("/token", exchange -> tokenAnswer.answer(exchange));
        http.start();
    }

    /** Answers an exchange of a code. */
    @FunctionalInterface
    interface TokenAnswer {
        void answer(HttpExchange exchange) throws IOException;
    }

    /** Changes the claims of ID tokens. */
    public void changeIdTokens(UnaryOperator<JWTClaimsSet.Builder> change) {
        changed = change;
    }

    /** Replaces the answers to codes. */
    void answerCodes(TokenAnswer answer) {
        tokenAnswer = answer;
    }

    /** Returns the fields of the last exchange of a code, and its header {@code Authorization}. */
    Map<String, String> lastExchange() {
        return lastExchange;
    }

    /** Signs the only user in without a question, and leads the browser back. */
    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> fields = fields(exchange.getRequestURI().getRawQuery());
        String code = "code-" + codes.size();
        codes.put(code, fields);
        String back = fields.get("redirect_uri") + "?session_state=x&code=" + code + "&state=" + fields.get("state");
        exchange.getResponseHeaders().add("Location", back);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void exchange(HttpExchange exchange) throws IOException {
        Map<String, String> fields = fields(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        fields.put("authorization", String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        lastExchange = fields;
        Map<String, String> begun = codes.remove(fields.getOrDefault("code", ""));
        try {
            byte[] verifier = fields.getOrDefault("code_verifier", "").getBytes(UTF_8);
            String challenge = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier));
            if (begun == null
                    || !challenge.equals(begun.get("code_challenge"))
                    || !fields.getOrDefault("redirect_uri", "").equals(begun.get("redirect_uri"))) {
                answer(exchange, 400, "{\"error\": \"invalid_grant\", \"error_description\": \"code <used>\"}");
                return;
            }
            JWTClaimsSet.Builder claims = claims("ada", Instant.now())
                    .audience(begun.get("client_id"))
                    .claim("nonce", begun.get("nonce"))
                    .claim("groups", List.of("staff"));
            answer(
                    exchange,
                    "{\"id_token\": \""
                            + sign(keys.get(0), changed.apply(claims).build()) + "\"}");
        } catch (JOSEException | NoSuchAlgorithmException e) {
            throw new IOException(e);
        }
    }

    private static Map<String, String> fields(String form) {
        Map<String, String> fields = new TreeMap<>();
        for (String field : form.split("&")) {
            int equals = field.indexOf('=');
            fields.put(field.substring(0, equals), URLDecoder.decode(field.substring(equals + 1), UTF_8));
        }
        return fields;
    }

    private void awaitGate() throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    static void answer(HttpExchange exchange, String text) throws IOException {
        answer(exchange, 200, text);
    }

    static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length);
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
