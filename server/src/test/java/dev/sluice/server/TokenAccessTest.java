package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.OidcSettings;
import dev.sluice.server.access.TestIssuer;
import dev.sluice.server.route.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that requires tokens. */
@SuppressWarnings("try") // some servers are only used through their client or files
final class TokenAccessTest {

    @TempDir
    Path folder;

    private TestHttpClient client = new TestHttpClient(0);

    private TestDaemon start(boolean insecure) throws Exception {
        TestDaemon server = TestDaemon.start(DaemonSettings.in(folder).withAccess(new AccessSettings(insecure, null)));
        client = server.client();
        return server;
    }

    private Reply as(String token, String method, String path, String body) {
        return client.send(
                method, path, body, body.isEmpty() ? "" : TestHttpClient.JSON, "Authorization", "Bearer " + token);
    }

    private static String document(String user, String role, String expires) {
        return "{\"user\": \"%s\", \"role\": \"%s\", \"expires\": \"%s\"}".formatted(user, role, expires);
    }

    private String create(String creator, String user, String role, String expires) {
        return RoutesFixture.expect(201, "", as(creator, "POST", "/tokens", document(user, role, expires)))
                .at("/token");
    }

    private String admin() throws Exception {
        try (TestDaemon server = start(true)) {
            return RoutesFixture.expect(201, "", client.post("/tokens", document("root", "admin", "2d")))
                    .at("/token");
        }
    }

    @Test
    void server_withoutInsecure_requiresToken() throws Exception {
        String admin = admin();
        try (TestDaemon server = start(false)) {
            RoutesFixture.ok(client.get("/health"));
            for (String path : new String[] {"/partitions", "/tokens", "/events/stream", "//metrics"}) {
                RoutesFixture.expect(401, "unauthenticated", client.get(path));
            }
            RoutesFixture.expect(
                    401, "unauthenticated", client.send("GET", "/partitions", "", "", "Sluice-User", "root"));
            RoutesFixture.ok(as(admin, "GET", "/partitions", ""));
        }
    }

    @Test
    void submitter_createsAndRevokesOnlyOwnTokens() throws Exception {
        String admin = admin();
        try (TestDaemon server = start(false)) {
            String ada = create(admin, "ada", "submitter", "1d");
            String bob = create(admin, "bob", "operator", "1d");
            assertThat(create(ada, "ada", "viewer", "1h")).isNotEmpty();
            for (String refused : new String[] {document("bob", "viewer", "1h"), document("ada", "operator", "1h")}) {
                RoutesFixture.expect(403, "forbidden", as(ada, "POST", "/tokens", refused));
            }
            RoutesFixture.expect(403, "forbidden", as(create(ada, "ada", "viewer", "1h"), "POST", "/tokens", "{}"));

            assertThat(RoutesFixture.ok(as(ada, "GET", "/tokens", "")).json()).hasSize(3);
            assertThat(RoutesFixture.ok(as(admin, "GET", "/tokens", "")).json()).hasSize(5);
            String id = RoutesFixture.ok(as(bob, "GET", "/tokens", "")).at("/0/id");
            RoutesFixture.expect(404, "not-found", as(ada, "DELETE", "/tokens/" + id, ""));
            RoutesFixture.ok(as(bob, "GET", "/partitions", ""));
            RoutesFixture.expect(204, "", as(bob, "DELETE", "/tokens/" + id, ""));
            RoutesFixture.expect(401, "unauthenticated", as(bob, "GET", "/partitions", ""));
        }
    }

    @Test
    void token_createdWithToken_doesNotOutliveIt() throws Exception {
        String admin = admin();
        try (TestDaemon server = start(false)) {
            String ada = create(admin, "ada", "submitter", "1d");
            assertThat(RoutesFixture.expect(
                                    422, "invalid", as(ada, "POST", "/tokens", document("ada", "submitter", "25h")))
                            .text())
                    .contains("cannot outlive");
            Reply capped = RoutesFixture.expect(201, "", as(ada, "POST", "/tokens", "{}"));
            assertThat(Instant.parse(capped.at("/expires")))
                    .isBefore(Instant.parse(capped.at("/created")).plus(Duration.ofDays(1)));
        }
    }

    @Test
    void actor_ofChange_isUserOfToken() throws Exception {
        String admin = admin();
        try (TestDaemon server = start(false)) {
            RoutesFixture.expect(
                    403,
                    "forbidden",
                    client.send(
                            "GET", "/partitions", "", "", "Authorization", "Bearer " + admin, "Sluice-User", "ada"));
            String ada = create(admin, "ada", "submitter", "1d");
            RoutesFixture.expect(
                    201,
                    "",
                    as(
                            ada,
                            "POST",
                            "/partitions/default/applications",
                            RoutesFixture.waiting("a", 1).replace("root.sandbox", "root.default")));
            assertThat(RoutesFixture.ok(as(ada, "GET", "/partitions/default/applications/a", ""))
                            .at("/user"))
                    .isEqualTo("ada");
        }
    }

    @Test
    @Tag("slow")
    void issuer_blocked_doesNotBlockOtherCallers() throws Exception {
        String admin = admin();
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("a").generate();
        try (TestIssuer issuer = new TestIssuer(key)) {
            issuer.block();
            OidcSettings oidc = issuer.settings(Map.of("*", Role.SUBMITTER));
            try (TestDaemon server =
                    TestDaemon.start(DaemonSettings.in(folder).withAccess(new AccessSettings(false, oidc)))) {
                client = server.client();
                String token =
                        TestIssuer.sign(key, issuer.claims("ada", Instant.now()).build());
                CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(() -> as(token, "GET", "/tokens", ""));
                for (int i = 0; i < 300; i++) {
                    RoutesFixture.ok(as(admin, "GET", "/tokens", ""));
                }
                issuer.release();
                RoutesFixture.ok(waiting.get());
                RoutesFixture.expect(401, "unauthenticated", as(token + "x", "GET", "/tokens", ""));
                RoutesFixture.expect(403, "forbidden", as(token, "PUT", "/partitions/default/throttle", "{}"));
            }
        }
    }
}
