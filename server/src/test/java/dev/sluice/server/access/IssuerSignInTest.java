package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.sluice.server.access.IssuerSignIn.BegunSignIn;
import dev.sluice.server.access.IssuerSignIn.CompletedSignIn;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Signing in at an issuer, which may be hostile, as may be the browser. */
@Timeout(60)
final class IssuerSignInTest {

    private static final URI REDIRECT = URI.create("http://127.0.0.1:7450" + SignInSettings.REDIRECT_PATH);
    private static final String NEXT = "/ui/partitions/default/nodes?state=lost";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static ECKey key;

    private TestIssuer issuer;
    private Duration later = Duration.ZERO;
    private IssuerSignIn signIn;

    @BeforeAll
    static void generate() throws Exception {
        key = new ECKeyGenerator(Curve.P_256).keyID("key").generate();
    }

    @BeforeEach
    void start() throws Exception {
        issuer = new TestIssuer(key);
        signIn = signIn(null);
    }

    @AfterEach
    void end() {
        issuer.close();
    }

    private IssuerSignIn signIn(@Nullable Path secretFile) {
        SignInSettings how = new SignInSettings("page", secretFile, REDIRECT, SignInSettings.SCOPES);
        OidcSettings settings = issuer.settings(Map.of("staff", Role.SUBMITTER)).withSignIn(how);
        OidcVerifier verifier = OidcVerifier.start(settings, () -> Instant.now().plus(later));
        return new IssuerSignIn(settings, how, verifier, () -> Instant.now().plus(later));
    }

    private static Map<String, String> query(String address) {
        Map<String, String> fields = new TreeMap<>();
        for (String field : URI.create(address).getRawQuery().split("&")) {
            int equals = field.indexOf('=');
            fields.put(field.substring(0, equals), URLDecoder.decode(field.substring(equals + 1), UTF_8));
        }
        return fields;
    }

    /** Signs in at the issuer and returns what it adds to the redirect address. */
    private static Map<String, String> answer(BegunSignIn begun) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(begun.address())).build();
            HttpResponse<Void> response = HTTP.send(request, HttpResponse.BodyHandlers.discarding());
            return query(response.headers().firstValue("Location").orElseThrow());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertRefused(String reason) {
        BegunSignIn begun = signIn.begin(NEXT);
        assertRefused(begun.cookie(), answer(begun), ProblemKind.UNAUTHENTICATED, reason);
    }

    private void assertRefused(@Nullable String cookie, Map<String, String> answer, ProblemKind kind, String reason) {
        assertThatThrownBy(() -> signIn.complete(cookie, answer))
                .hasMessageContaining(reason)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> assertThat(problem.kind()).isEqualTo(kind));
    }

    @Test
    void begin_asksForCodeWithProofKey() {
        BegunSignIn begun = signIn.begin(NEXT);
        assertThat(begun.address()).startsWith(issuer.address() + "/authorize?tenant=a&");
        Map<String, String> asked = query(begun.address());
        assertThat(asked)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", "page")
                .containsEntry("redirect_uri", REDIRECT.toString())
                .containsEntry("scope", "openid profile")
                .containsEntry("code_challenge_method", "S256");
        assertThat(List.of(asked.get("state"), asked.get("nonce"), asked.get("code_challenge")))
                .doesNotHaveDuplicates()
                .allMatch(value -> value.matches("[A-Za-z0-9_-]{43}"));
        assertThat(query(signIn.begin(NEXT).address()).get("state")).isNotEqualTo(asked.get("state"));
        assertThat(begun.cookie()).doesNotContain(asked.get("state"));
    }

    @Test
    void complete_validCode_returnsUserUntilTokenExpires() {
        BegunSignIn begun = signIn.begin(NEXT);
        CompletedSignIn completed = signIn.complete(begun.cookie(), answer(begun));
        assertThat(completed.next()).isEqualTo(NEXT);
        assertThat(completed.caller().user()).isEqualTo("ada");
        assertThat(completed.caller().groups()).containsExactly("staff");
        assertThat(completed.caller().role()).isEqualTo(Role.SUBMITTER);
        assertThat(completed.caller().expires())
                .isBetween(Instant.now(), Instant.now().plusSeconds(300).plus(OidcVerifier.CLOCK_SKEW));
        assertThat(issuer.lastExchange())
                .containsEntry("grant_type", "authorization_code")
                .containsEntry("client_id", "page")
                .containsEntry("redirect_uri", REDIRECT.toString())
                .containsEntry("authorization", "null");
    }

    @Test
    void complete_withSecret_authenticatesClient(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "a:b %\n");
        signIn = signIn(file);
        BegunSignIn begun = signIn.begin(NEXT);
        signIn.complete(begun.cookie(), answer(begun));
        assertThat(issuer.lastExchange())
                .containsEntry(
                        "authorization",
                        "Basic " + Base64.getEncoder().encodeToString("page:a%3Ab+%25".getBytes(UTF_8)))
                .doesNotContainKey("client_secret");
        Files.delete(file);
        BegunSignIn again = signIn.begin(NEXT);
        assertRefused(again.cookie(), answer(again), ProblemKind.UNAVAILABLE, "could not be exchanged");
    }

    @Test
    void complete_byAnotherBrowser_isRefused() {
        BegunSignIn begun = signIn.begin(NEXT);
        Map<String, String> answer = answer(begun);
        Map<String, String> wrongState = new TreeMap<>(answer);
        wrongState.put("state", query(signIn.begin(NEXT).address()).get("state"));
        Map<String, String> withoutState = new TreeMap<>(answer);
        withoutState.remove("state");
        String reason = "not begun in this browser";
        assertRefused(null, answer, ProblemKind.UNAUTHENTICATED, reason);
        assertRefused("", answer, ProblemKind.UNAUTHENTICATED, reason);
        assertRefused(signIn.begin(NEXT).cookie(), answer, ProblemKind.UNAUTHENTICATED, reason);
        assertRefused(begun.cookie() + "x", answer, ProblemKind.UNAUTHENTICATED, reason);
        assertRefused(begun.cookie(), wrongState, ProblemKind.UNAUTHENTICATED, reason);
        assertRefused(begun.cookie(), withoutState, ProblemKind.UNAUTHENTICATED, reason);
        assertThat(issuer.lastExchange()).as("no code was sent").isEmpty();
        assertThat(signIn.complete(begun.cookie(), answer).next()).isEqualTo(NEXT);
    }

    @Test
    void complete_codeOfAnotherSignIn_isRefused() {
        BegunSignIn attacker = signIn.begin(NEXT);
        BegunSignIn victim = signIn.begin(NEXT);
        Map<String, String> mixed = answer(victim);
        mixed.put("code", answer(attacker).get("code"));
        assertRefused(victim.cookie(), mixed, ProblemKind.UNAUTHENTICATED, "invalid_grant (code <used>)");
    }

    @Test
    void complete_again_isRefused() {
        BegunSignIn begun = signIn.begin(NEXT);
        Map<String, String> answer = answer(begun);
        signIn.complete(begun.cookie(), answer);
        assertRefused(begun.cookie(), answer, ProblemKind.UNAUTHENTICATED, "has not accepted the code");
        Map<String, String> newCode = new TreeMap<>(answer);
        newCode.put("code", answer(begun).get("code"));
        assertRefused(begun.cookie(), newCode, ProblemKind.UNAUTHENTICATED, "has been completed before");
    }

    @Test
    void complete_late_isRefused() {
        BegunSignIn begun = signIn.begin(NEXT);
        Map<String, String> answer = answer(begun);
        later = IssuerSignIn.TIME_MAX.plusSeconds(1);
        assertRefused(begun.cookie(), answer, ProblemKind.UNAUTHENTICATED, "longer than 10 minutes");
    }

    @Test
    void complete_issuerRefuses_saysWhy() {
        BegunSignIn begun = signIn.begin(NEXT);
        Map<String, String> answer = answer(begun);
        answer.put("error", "access_denied");
        answer.put("error_description", "x".repeat(5000));
        assertThatThrownBy(() -> signIn.complete(begun.cookie(), answer))
                .hasMessageContaining("127.0.0.1 has refused: access_denied (xxx")
                .message()
                .hasSizeLessThan(400);
        Map<String, String> other = answer(begun);
        other.put("iss", "https://evil.example");
        assertRefused(begun.cookie(), other, ProblemKind.UNAUTHENTICATED, "of another issuer");
    }

    @Test
    void idToken_invalid_isRefused() throws Exception {
        Map<String, UnaryOperator<JWTClaimsSet.Builder>> changes = Map.of(
                "another sign-in", claims -> claims.claim("nonce", "guess"),
                "another issuer", claims -> claims.issuer("https://evil.example"),
                "another audience", claims -> claims.audience("sluice"),
                "another client", claims -> claims.claim("azp", "other"),
                "has expired: do the clocks", claims -> claims.expirationTime(Date.from(Instant.EPOCH)),
                "issued in the future: do the clocks",
                        claims -> claims.issueTime(Date.from(Instant.now().plusSeconds(600))),
                "is not a user name", claims -> claims.subject(""));
        changes.forEach((reason, change) -> {
            issuer.changeIdTokens(change);
            assertRefused(reason);
        });
        issuer.changeIdTokens(claims -> claims.claim("nonce", null));
        assertRefused("another sign-in");

        issuer.changeIdTokens(UnaryOperator.identity());
        issuer.publish(new ECKeyGenerator(Curve.P_256).keyID("key").generate());
        assertRefused("the signature of the token is invalid");
    }

    @Test
    void idToken_unsigned_isRefused() {
        issuer.answerCodes(exchange -> {
            JWTClaimsSet claims =
                    issuer.claims("root", Instant.now()).audience("page").build();
            TestIssuer.answer(exchange, "{\"id_token\": \"" + new PlainJWT(claims).serialize() + "\"}");
        });
        assertRefused("neither an access token nor a signed JWT");
    }

    @Test
    void idToken_userWithoutRole_isForbidden() {
        issuer.changeIdTokens(claims -> claims.claim("groups", List.of("guests")));
        BegunSignIn begun = signIn.begin(NEXT);
        assertRefused(begun.cookie(), answer(begun), ProblemKind.FORBIDDEN, "You are known here as ada, but neither");
    }

    @Test
    void idToken_ofSignIn_isNoTokenOfApi() throws Exception {
        OidcSettings settings = issuer.settings(Map.of("*", Role.ADMIN));
        OidcVerifier verifier = OidcVerifier.start(settings, InstantSource.system());
        String token = TestIssuer.sign(
                key,
                issuer.claims("ada", Instant.now())
                        .audience("page")
                        .claim("nonce", "n")
                        .build());
        assertThat(verifier.verifyIdToken(token, "page", "n").user()).isEqualTo("ada");
        assertThatThrownBy(() -> verifier.verify(token)).hasMessage("the token is for another audience");
        assertThatThrownBy(() -> verifier.verifyNow(token)).hasMessage("the token is for another audience");
    }

    @Test
    void exchange_hostileAnswer_isRefused() {
        Map<String, TestIssuer.TokenAnswer> answers = Map.of(
                "huge",
                exchange -> TestIssuer.answer(exchange, "x".repeat(IssuerHttp.RESPONSE_BYTES_MAX + 1)),
                "not JSON",
                exchange -> TestIssuer.answer(exchange, "<html>"),
                "not text",
                exchange -> TestIssuer.answer(exchange, "{\"id_token\": {}}"));
        answers.forEach((name, answer) -> {
            issuer.answerCodes(answer);
            BegunSignIn begun = signIn.begin(NEXT);
            assertRefused(begun.cookie(), answer(begun), ProblemKind.UNAVAILABLE, "could not be exchanged");
        });
        issuer.answerCodes(exchange -> {
            exchange.getResponseHeaders().add("Location", issuer.address() + "/keys");
            TestIssuer.answer(exchange, 307, "");
        });
        assertRefused("status 307 without an ID token");
        issuer.answerCodes(exchange -> TestIssuer.answer(exchange, "{}"));
        assertRefused("status 200 without an ID token");
    }

    @Test
    void begin_issuerAway_saysSo() {
        issuer.close();
        signIn = signIn(null);
        assertThatThrownBy(() -> signIn.begin(NEXT))
                .hasMessageContaining("127.0.0.1 does not answer as it should: it cannot be reached");
    }

    @Test
    void settings_invalid_areRefused() {
        for (String redirect : List.of(
                "http://lab.example.org/ui/sign-in/callback",
                "https://lab.example.org/ui",
                "https://lab.example.org/ui/sign-in/callback?a=b",
                "https://a@lab.example.org/ui/sign-in/callback")) {
            assertThatThrownBy(() -> new SignInSettings("page", null, URI.create(redirect), SignInSettings.SCOPES))
                    .hasMessageStartingWith("redirect address " + redirect);
        }
        assertThatThrownBy(() -> new SignInSettings(" ", null, REDIRECT, SignInSettings.SCOPES))
                .hasMessage("the id of the client is empty");
        assertThatThrownBy(() -> new SignInSettings("page", null, REDIRECT, List.of("profile")))
                .hasMessage("the scopes must contain openid");
        assertThatThrownBy(() -> new SignInSettings("page", null, REDIRECT, List.of("openid", "a b")))
                .hasMessage("\"a b\" is not a scope");
    }
}
