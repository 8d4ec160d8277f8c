package dev.sluice.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.sluice.core.testing.Fuzzer;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.Role;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mutated headers with tokens, and mutated claims with a valid signature: they are refused, or are of a user. */
final class TokenFuzzTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    @Tag("slow")
    void tokens_mutated_areRefusedOrOfUser() throws Exception {
        fuzz(Fuzzer.FEW_FILES);
    }

    @Test
    @Tag("long")
    void tokens_mutatedOften_areRefusedOrOfUser() throws Exception {
        fuzz(Fuzzer.MANY);
    }

    private static void fuzz(int rounds) throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("a").generate();
        ECDSASigner signer = new ECDSASigner(key);
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("a").build();
        AccessTokens tokens = AccessTokens.load(new MemoryStore().accessTokens(), () -> NOW);
        try (TestIssuer issuer = new TestIssuer(key)) {
            OidcVerifier verifier = OidcVerifier.start(issuer.settings(Map.of("*", Role.VIEWER)), () -> NOW, () -> 0);
            BearerAuthenticator authenticator = new BearerAuthenticator(tokens, verifier, false);
            assertThat(authenticator
                            .authenticate(credentials("Bearer "
                                    + TestIssuer.sign(
                                            key, issuer.claims("ada", NOW).build())))
                            .user())
                    .isEqualTo("ada");

            int headers = new Fuzzer("tokens", ProblemException.class, input -> {
                        Caller caller = authenticator.authenticate(credentials(new String(input, UTF_8)));
                        assertThat(caller).isEqualTo(Caller.UNKNOWN);
                        return true;
                    })
                    .run(rounds);
            int claims = new Fuzzer("claims", ProblemException.class, input -> {
                        String json = new String(input, UTF_8)
                                .replace("ISSUER", issuer.address().toString());
                        JWSObject token = new JWSObject(header, new Payload(json));
                        token.sign(signer);
                        Caller caller = authenticator.authenticate(credentials("Bearer " + token.serialize()));
                        assertThat(caller.user()).isNotBlank();
                        assertThat(caller.role()).isEqualTo(Role.VIEWER);
                        return true;
                    })
                    .run(rounds);
            assertThat(headers).as("headers without credentials").isLessThan(rounds);
            assertThat(claims).isBetween(1, rounds - 1);
        }
    }

    private static Credentials credentials(String header) {
        return new Credentials("", header, null, "127.0.0.1");
    }
}
