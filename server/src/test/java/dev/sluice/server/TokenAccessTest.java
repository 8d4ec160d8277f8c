package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.access.AccessSettings;
import dev.sluice.server.access.OidcSettings;
import dev.sluice.server.access.RateLimit;
import dev.sluice.server.access.TestIssuer;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that requires tokens. */
@SuppressWarnings("try") // some servers are only used through their client or files
@Tag("slow")
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
    void token_createdWithCredentialsOfIssuer_doesNotOutliveThem(@TempDir Path folder) throws Exception {
        Instant end = Instant.now().plus(Duration.ofMinutes(5));
        Caller admin = new Caller("ada", List.of("ops"), Role.ADMIN, Caller.Source.OIDC).until(end);
        try (TestDaemon server =
                TestDaemon.withAuthenticator(new MemoryStore(), TestDaemon.settings(folder), credentials -> admin)) {
            Reply capped =
                    RoutesFixture.expect(201, "", server.client().send("POST", "/tokens", "{}", TestHttpClient.JSON));
            assertThat(Instant.parse(capped.at("/expires"))).isEqualTo(end);
        }
    }

    @Test
    void token_ofProxy_isNotCreated(@TempDir Path folder) throws Exception {
        Caller behind = new Caller("ada", List.of(), Role.SUBMITTER, Caller.Source.SOCKET, "portal", null);
        try (TestDaemon server =
                TestDaemon.withAuthenticator(new MemoryStore(), TestDaemon.settings(folder), credentials -> behind)) {
            Reply refused = RoutesFixture.expect(
                    403, "forbidden", server.client().send("POST", "/tokens", "{}", TestHttpClient.JSON));
            assertThat(refused.at("/detail")).contains("create the token without a proxy");
        }
    }

    @Test
    void eventStream_tokenRevoked_endsBeforeNextEvent() throws Exception {
        String admin = admin();
        try (TestDaemon server = start(false)) {
            String ada = create(admin, "ada", "viewer", "1d");
            String id = RoutesFixture.ok(as(admin, "GET", "/tokens", "")).at("/1/id");
            String request =
                    "GET /api/v1/events/stream?after=0 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
                            + "Authorization: Bearer " + ada + "\r\nConnection: close\r\n\r\n";
            try (RawClient stream = new RawClient(server.port()).write(request)) {
                stream.readUntil("event: partition.configured");
                RoutesFixture.expect(204, "", as(admin, "DELETE", "/tokens/" + id, ""));
                RoutesFixture.expect(
                        201,
                        "",
                        as(
                                admin,
                                "POST",
                                "/partitions/default/applications",
                                RoutesFixture.waiting("a", 1).replace("root.sandbox", "root.default")));
                assertThat(stream.readAll()).doesNotContain("event: application");
            }
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
    void caller_beyondRateLimit_isRefusedAndCounted() throws Exception {
        String admin = admin();
        AccessSettings access = new AccessSettings(false, null).withRateLimit(new RateLimit(1, false));
        try (TestDaemon server = TestDaemon.start(DaemonSettings.in(folder).withAccess(access))) {
            client = server.client();
            Reply reply = as(admin, "GET", "/partitions", "");
            for (int i = 0; i < 1000 && reply.status() == 200; i++) {
                reply = as(admin, "GET", "/partitions", "");
            }
            RoutesFixture.expect(429, "busy", reply);
            assertThat(reply.header("Retry-After")).isEqualTo("1");
            assertThat(reply.text()).contains("more than 1 requests per second from user root");
            RoutesFixture.ok(client.get("/health"));
        }
        try (TestDaemon server = start(false)) {
            for (int i = 0; i < 20; i++) {
                RoutesFixture.expect(401, "unauthenticated", as("guess" + i, "GET", "/partitions", ""));
            }
            RoutesFixture.expect(429, "busy", as("guess", "GET", "/partitions", ""));
            RoutesFixture.expect(429, "busy", as(admin, "GET", "/partitions", ""));
        }
        try (TestDaemon server = start(false)) {
            RoutesFixture.ok(as(admin, "GET", "/partitions", ""));
            for (int i = 0; i < 21; i++) {
                as("guess" + i, "GET", "/partitions", "");
            }
            assertThat(RoutesFixture.ok(as(admin, "GET", "//metrics", "")).text())
                    .contains("sluice_requests_limited_total{reason=\"credentials\"} 1.0")
                    .contains("sluice_requests_limited_total{reason=\"rate\"} 0.0");
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
