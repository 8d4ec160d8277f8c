package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.route.Route;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Contract tests of all routes against one server, with every documented problem. Fails after the last test if a
 * documented response never occurred. Subclasses start the server.
 */
public abstract class RoutesContract extends YuniKornRoutesContract {

    @AfterAll
    void documentedResponses_allOccurred() throws Exception {
        try {
            assertThat(client.contract().unseen())
                    .as("operations without a success response")
                    .isEmpty();
            assertThat(client.contract().unseenProblems())
                    .as("documented problems that never occurred, except those only other releases cause")
                    .containsExactly("rollBackConfiguration invalid", "rollBackConfiguration too-much");
        } finally {
            stopServer();
        }
    }

    @Test
    void server_hasVersionHealthAndMetrics() {
        assertThat(ok(client.get("/version")).at("/name")).isEqualTo("sluice");
        assertThat(ok(client.get("/health")).at("/status")).isEqualTo("up");
        assertThat(ok(client.get("/ready")).at("/detail")).isEmpty();
        ok(client.get("/openapi.json"));
        assertThat(ok(client.get("//metrics")).text()).contains("sluice_nodes{partition=\"default\",state=\"ready\"}");
    }

    @Test
    void signInLink_leadsToPage() {
        Reply created = expect(201, "", client.post("/sign-in-links", ""));
        assertThat(created.at("/address")).matches("http://127\\.0\\.0\\.1:\\d+/ui/sign-in\\?code=[A-Za-z0-9_-]{43}");
        assertThat(Instant.parse(created.at("/expires"))).isAfter(Instant.EPOCH);
    }

    @Test
    void snapshot_hasSubmittedApplication() {
        expect(201, "", client.post(APPLICATIONS, waiting("seen", 3)));
        Reply checkpoint = ok(client.get("/snapshot"));
        assertThat(checkpoint.text()).contains("\"seen\"").contains("\"at\"");
        expect(200, "", client.post(APPLICATIONS + "/seen/cancel", ""));
    }

    @Test
    void token_created_isListedUntilRevoked() {
        Reply created = expect(
                201, "", client.post("/tokens", "{\"user\": \"ada\", \"role\": \"viewer\", \"expires\": \"1d\"}"));
        String bearer = "Bearer " + created.at("/token");
        assertThat(created.at("/token")).matches("slc_[A-Za-z0-9_-]{43}");
        assertThat(ok(client.get("/tokens")).text())
                .contains(created.at("/id"))
                .doesNotContain(created.at("/token"))
                .doesNotContain("token\":");
        ok(client.send("GET", "/partitions", "", "", "Authorization", bearer));

        expect(204, "", client.delete("/tokens/" + created.at("/id")));
        expect(404, "not-found", client.delete("/tokens/" + created.at("/id")));
    }

    @Test
    void token_invalid_isRefused() {
        for (String body : new String[] {
            "{}",
            "{\"user\": \" \"}",
            "{\"user\": \"a\\u0000b\"}",
            "{\"user\": \"a\", \"role\": \"anyone\"}",
            "{\"user\": \"a\", \"role\": \"root\"}",
            "{\"user\": \"a\", \"expires\": \"0s\"}",
            "{\"user\": \"a\", \"expires\": \"3651d\"}",
            "{\"user\": \"a\", \"expires\": \"soon\"}",
            "{\"user\": \"a\", \"name\": \"" + "x".repeat(257) + "\"}"
        }) {
            expect(422, "invalid", client.post("/tokens", body));
        }
        assertThat(ok(client.get("/tokens")).json()).isEmpty();
    }

    @Test
    void unknownResources_areNotFound() {
        for (String path : new String[] {"", "/tasks", "/tasks/t", "/tasks/t/log", "/why", "/waits", "/tasks/t/why"}) {
            expect(404, "not-found", client.get(APPLICATIONS + "/nobody" + path));
            expect(404, "not-found", client.get("/partitions/none/applications/nobody" + path));
        }
        for (String path : new String[] {"/cancel", "/seal", "/tasks/t/stop"}) {
            expect(404, "not-found", client.post(APPLICATIONS + "/nobody" + path, ""));
        }
        expect(404, "not-found", client.post(APPLICATIONS + "/nobody/tasks", "{\"tasks\": [{\"id\": \"t\"}]}"));
        for (String path :
                new String[] {"", "/queues", "/queues/root", "/classes", "/requestors", "/nodes", "/nodes/n"}) {
            expect(404, "not-found", client.get("/partitions/none" + path));
        }
        expect(404, "not-found", client.get("/partitions/default/queues/root.no"));
        expect(404, "not-found", client.get(APPLICATIONS + "?queue=root.no"));
        ok(client.get(APPLICATIONS + "?queue=root.lab.a"));
        expect(404, "not-found", client.get(NODES + "/none"));
        expect(404, "not-found", client.get("/nothing"));
    }

    @Test
    void events_listed_arePaged() {
        expect(201, "", client.post(APPLICATIONS, waiting("event-maker", 1)));
        Reply page = ok(client.get("/events?limit=2"));
        assertThat(page.at("/items/0/sequence")).isEqualTo("1");
        assertThat(ok(client.get("/events?limit=1&after=" + page.at("/next"))).at("/items/0/sequence"))
                .isEqualTo("3");
        assertThat(ok(client.get("/events?last=3")).json().get("items")).hasSizeGreaterThanOrEqualTo(3);
        expect(422, "invalid", client.get("/events?limit=5000"));
        expect(422, "invalid", client.get("/events?after=x"));
        expect(422, "invalid", client.get("/events/stream?after=999999999"));
        expect(422, "invalid", client.send("GET", "/events/stream", "", "", "Last-Event-ID", "x"));
        assertThat(client.send("HEAD", "/events/stream", "", "").status()).isEqualTo(200);
    }

    @Test
    void bodies_ofAllRoutes_areValidated() {
        String large = "[\"" + "x".repeat((int) DaemonSettings.BODY_MAX_DEFAULT) + "\"]";
        for (String each : client.contract().operations()) {
            if (!client.contract().takesBody(each)) {
                continue;
            }
            String method = each.substring(0, each.indexOf(' '));
            String absolute = each.substring(each.indexOf(' ') + 1);
            String path = (absolute.startsWith(Route.BASE) ? absolute.substring(Route.BASE.length()) : "/" + absolute)
                    .replace("{partition}", "default")
                    .replaceAll("\\{[a-z]+}", "x");
            expect(415, "media-type", client.send(method, path, "a=b", "application/x-www-form-urlencoded"));
            expect(415, "media-type", client.send(method, path, "<a/>", "application/xml"));
            expect(413, "too-large", client.send(method, path, large, TestHttpClient.JSON));
            expect(400, "malformed", client.send(method, path, NOT_UTF_8, TestHttpClient.JSON));
        }
    }
}
