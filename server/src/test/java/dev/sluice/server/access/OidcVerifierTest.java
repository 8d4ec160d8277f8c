package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tokens of an issuer that signs with its own keys. */
@Timeout(60)
final class OidcVerifierTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant END = NOW.plusSeconds(300).plus(OidcVerifier.CLOCK_SKEW);
    private static final Map<String, Role> ROLES = Map.of("*", Role.VIEWER, "staff", Role.SUBMITTER, "ops", Role.ADMIN);

    private static ECKey curve;
    private static ECKey nextCurve;
    private static RSAKey rsa;

    private final AtomicLong nanos = new AtomicLong();
    private Instant now = NOW;
    private TestIssuer issuer;
    private OidcVerifier verifier;

    @BeforeAll
    static void generate() throws Exception {
        curve = new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
        nextCurve = new ECKeyGenerator(Curve.P_256).keyID("next").generate();
        rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    }

    @BeforeEach
    void start() throws Exception {
        issuer = new TestIssuer(curve, rsa);
        verifier = OidcVerifier.start(issuer.settings(ROLES), () -> now, nanos::get);
    }

    @AfterEach
    void end() {
        issuer.close();
    }

    private JWTClaimsSet.Builder claims() {
        return issuer.claims("ada", NOW);
    }

    private void assertRefused(String token, String reason) {
        assertThatThrownBy(() -> verifier.verify(token))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(ProblemKind.UNAUTHENTICATED))
                .hasMessageContaining(reason);
    }

    private void assertRefused(JWTClaimsSet claims, String reason) throws JOSEException {
        assertRefused(TestIssuer.sign(curve, claims), reason);
    }

    @Test
    void token_valid_hasUserGroupsAndHighestRole() throws Exception {
        assertThat(verifier.verify(TestIssuer.sign(curve, claims().build())))
                .isEqualTo(new Caller("ada", List.of(), Role.VIEWER, Caller.Source.OIDC).until(END));
        for (JWK key : List.of(curve, rsa)) {
            String token = TestIssuer.sign(
                    key,
                    claims().claim("groups", List.of("staff", "ops", "guests")).build());
            Caller ada =
                    new Caller("ada", List.of("staff", "ops", "guests"), Role.ADMIN, Caller.Source.OIDC).until(END);
            assertThat(verifier.verify(token)).isEqualTo(ada);
            assertThat(verifier.verifyNow(token)).isEqualTo(ada);
        }
        assertThat(verifier.verify(TestIssuer.sign(
                                rsa, claims().claim("groups", "staff").build()))
                        .role())
                .isEqualTo(Role.SUBMITTER);
        assertThat(issuer.fetches()).isEqualTo(1);
    }

    @Test
    void claims_invalid_areRefused() throws Exception {
        assertRefused(claims().issuer("http://127.0.0.1:1").build(), "another issuer");
        assertRefused(claims().issuer(null).build(), "another issuer");
        assertRefused(claims().audience("other").build(), "another audience");
        assertRefused(claims().audience(List.of()).build(), "another audience");
        assertRefused(claims().subject(null).build(), "the claim sub");
        assertRefused(claims().subject(" ").build(), "the claim sub");
        assertRefused(claims().subject("a\nb").build(), "the claim sub");
        assertRefused(claims().subject("a".repeat(257)).build(), "the claim sub");
        assertRefused(claims().expirationTime(null).build(), "expired");
    }

    @Test
    void times_ofToken_haveClockSkew() throws Exception {
        verifier.verify(TestIssuer.sign(
                curve, claims().expirationTime(Date.from(NOW.minusSeconds(59))).build()));
        assertRefused(claims().expirationTime(Date.from(NOW.minusSeconds(60))).build(), "expired");
        verifier.verify(TestIssuer.sign(
                curve, claims().notBeforeTime(Date.from(NOW.plusSeconds(60))).build()));
        assertRefused(claims().notBeforeTime(Date.from(NOW.plusSeconds(61))).build(), "not valid yet");
    }

    @Test
    void signature_forged_isRefused() throws Exception {
        JWTClaimsSet claims = claims().claim("groups", List.of("ops")).build();
        String valid = TestIssuer.sign(curve, claims);
        String other = TestIssuer.sign(curve, claims().subject("eve").build());
        ECKey samePublishedId =
                new ECKeyGenerator(Curve.P_256).keyID(curve.getKeyID()).generate();

        assertRefused(TestIssuer.sign(samePublishedId, claims), "signature");
        assertRefused(TestIssuer.sign(nextCurve, claims), "unknown key");
        assertRefused(
                valid.substring(0, valid.indexOf('.'))
                        + other.substring(other.indexOf('.'), other.lastIndexOf('.'))
                        + valid.substring(valid.lastIndexOf('.')),
                "signature");
        assertRefused(new PlainJWT(claims).serialize(), "signed JWT");
        for (String malformed : List.of("", "a", "a.b.c", "..", valid.substring(0, valid.lastIndexOf('.') + 1))) {
            assertRefused(malformed, "");
        }
    }

    @Test
    void algorithm_otherThanExpected_isRefused() throws Exception {
        JWTClaimsSet claims = claims().build();
        SignedJWT publicKeyAsSecret = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build(), claims);
        publicKeyAsSecret.sign(new MACSigner(rsa.toPublicJWK().toJSONString().getBytes(US_ASCII)));
        assertRefused(publicKeyAsSecret.serialize(), "neither ES256 nor RS256");
        for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.RS512, JWSAlgorithm.PS256)) {
            SignedJWT jwt =
                    new SignedJWT(new JWSHeader.Builder(algorithm).keyID("rsa").build(), claims);
            jwt.sign(new RSASSASigner(rsa));
            assertRefused(jwt.serialize(), "neither ES256 nor RS256");
        }
        SignedJWT wrongType = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("curve").build(), claims);
        wrongType.sign(new RSASSASigner(rsa));
        assertRefused(wrongType.serialize(), "unknown key");
    }

    @Test
    void key_rotated_isFetchedOncePerInterval() throws Exception {
        String token = TestIssuer.sign(nextCurve, claims().build());
        String withdrawn = TestIssuer.sign(curve, claims().build());
        verifier.verify(withdrawn);
        issuer.publish(nextCurve);

        assertRefused(token, "unknown key");
        assertRefused(token, "unknown key");
        assertThat(issuer.fetches()).isEqualTo(1);

        nanos.addAndGet(IssuerKeys.INTERVAL_MIN.toNanos());
        assertThat(verifier.verifyNow(token)).isNull();
        assertThat(verifier.verify(token).user()).isEqualTo("ada");
        assertThat(issuer.fetches()).isEqualTo(2);
        assertRefused(withdrawn, "unknown key");
    }

    @Test
    void token_verifiedBefore_isRefusedWhenItExpires() throws Exception {
        String token = TestIssuer.sign(
                curve, claims().expirationTime(Date.from(NOW.plusSeconds(1))).build());
        assertThat(verifier.verify(token)).isEqualTo(verifier.verifyNow(token));

        now = NOW.plusSeconds(60);
        assertThat(verifier.verifyNow(token)).isNotNull();
        now = NOW.plusSeconds(61);
        assertThatThrownBy(() -> verifier.verifyNow(token)).hasMessage("the token has expired");
    }

    @Test
    void verifiedTokens_tooMany_areForgotten() {
        VerifiedTokens tokens = new VerifiedTokens();
        for (int i = 0; i <= VerifiedTokens.TOKENS_MAX; i++) {
            tokens.add("t" + i, Caller.UNKNOWN, NOW.plusSeconds(1));
        }
        assertThat(tokens.find("t0", NOW)).isNull();
        assertThat(tokens.find("t" + VerifiedTokens.TOKENS_MAX, NOW)).isEqualTo(Caller.UNKNOWN);
    }

    @Test
    void issuer_blocked_doesNotBlockKnownKeys() throws Exception {
        String token = TestIssuer.sign(curve, claims().build());
        String next = TestIssuer.sign(nextCurve, claims().build());
        verifier.verify(token);
        issuer.block();
        nanos.addAndGet(IssuerKeys.AGE_FRESH.toNanos());
        List<CompletableFuture<Caller>> waiting = new ArrayList<>();
        assertThat(verifier.verifyNow(next)).isNull();
        waiting.add(CompletableFuture.supplyAsync(() -> verifier.verify(next)));

        for (int i = 0; i < 100; i++) {
            assertThat(verifier.verifyNow(token)).isNotNull();
        }
        issuer.publish(nextCurve);
        issuer.release();
        assertThat(waiting.get(0).get().user()).isEqualTo("ada");
    }

    @Test
    void issuer_down_keepsKeysForOneDay() throws Exception {
        String token = TestIssuer.sign(curve, claims().build());
        verifier.verify(token);
        issuer.close();

        nanos.addAndGet(IssuerKeys.AGE_MAX.toNanos() - 1);
        assertThat(verifier.verifyNow(token)).isNotNull();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThatThrownBy(() -> verifier.verify(token)).isInstanceOfSatisfying(ProblemException.class, e -> {
            assertThat(e.kind()).isEqualTo(ProblemKind.UNAVAILABLE);
            assertThat(e.retryAfter()).isEqualTo(IssuerKeys.INTERVAL_MIN);
        });
    }

    @Test
    void settings_insecure_areRefused() {
        for (String address : List.of(
                "http://example.org",
                "ftp://127.0.0.1",
                "https:///path",
                "https://a/?b",
                "http://127.0.0.1.evil.org")) {
            assertThatThrownBy(() -> new OidcSettings(URI.create(address), "a", "sub", "groups", new TreeMap<>(ROLES)))
                    .as(address)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
