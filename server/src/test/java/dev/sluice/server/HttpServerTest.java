package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP requests, well-formed and malformed, same-site and cross-site. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HttpServerTest {

    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final String HEALTH = "/api/v1/health";

    private TestDaemon daemon;
    private TestHttpClient client;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(TestDaemon.settings(folder));
        client = daemon.client();
    }

    @AfterAll
    void end() {
        daemon.close();
    }

    private String ask(String method, String path, String host, String more) throws Exception {
        return RawClient.ask(
                daemon.port(),
                method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + more + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "LOCALHOST:7450", "127.0.0.1:1", "[::1]:80"})
    void host_loopback_isServed(String host) throws Exception {
        assertThat(ask("GET", HEALTH, host, "")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {HEALTH, "/metrics", "/api/v1/events/stream", "/api/v1/openapi.json", "/nothing"})
    void host_otherName_isRefusedEverywhere(String path) throws Exception {
        for (String host : new String[] {"evil.example", "127.0.0.1.evil.example", "localhost.", "10.0.0.1:7450"}) {
            assertThat(ask("GET", path, host, "")).startsWith("HTTP/1.1 403").contains("cross-site");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {HEALTH, "/metrics", "/api/v1/events/stream", "/api/v1/partitions"})
    void fetch_crossSite_isRefusedEverywhere(String path) throws Exception {
        assertThat(ask("GET", path, "127.0.0.1", "Sec-Fetch-Site: cross-site\r\n"))
                .startsWith("HTTP/1.1 403")
                .contains("cross-site");
    }

    @Test
    void change_otherOrigin_isRefused() {
        String[] origins = {"http://evil.example", "null", "https://127.0.0.1:" + daemon.port(), "http://127.0.0.1:1"};
        for (String origin : origins) {
            Reply reply = client.send("POST", APPLICATIONS, "{}", TestHttpClient.JSON, "Origin", origin);
            assertThat(reply.status()).as(origin).isEqualTo(403);
            assertThat(reply.problem()).isEqualTo("cross-site");
        }
        for (String site : new String[] {"cross-site", "same-site"}) {
            Reply reply = client.send("POST", APPLICATIONS, "{}", TestHttpClient.JSON, "Sec-Fetch-Site", site);
            assertThat(reply.problem()).as(site).isEqualTo("cross-site");
        }
        Reply own = client.send(
                "POST",
                APPLICATIONS,
                "{\"queue\": \"root.default\"}",
                TestHttpClient.JSON,
                "Origin",
                "http://127.0.0.1:" + daemon.port(),
                "Sec-Fetch-Site",
                "same-origin");
        assertThat(own.status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Origin: http://localhost\r\nOrigin: http://evil.example\r\n",
                "Origin: http://localhost, http://evil.example\r\n",
                "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: same-site\r\n",
                "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n"
            })
    void change_twoOrigins_isRefusedUnlessBothMatch(String headers) throws Exception {
        assertThat(ask("POST", "/api/v1" + APPLICATIONS, "localhost", headers + "Content-Length: 0\r\n"))
                .startsWith("HTTP/1.1 403")
                .contains("cross-site");
    }

    @Test
    void responses_disallowOtherOriginsAndCaching() {
        Reply reply = client.send("GET", "/health", "", "", "Origin", "http://evil.example");
        assertThat(reply.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void otherMethods_areRefusedWithAllow() {
        assertThat(client.send("HEAD", "/health", "", "").status()).isEqualTo(200);
        assertThat(client.send("HEAD", "/partitions/none", "", "").status()).isEqualTo(404);
        Reply options = client.send("OPTIONS", APPLICATIONS, "", "");
        assertThat(options.status()).isEqualTo(204);
        assertThat(options.header("Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
        for (String method : new String[] {"DELETE", "PATCH", "PUT"}) {
            Reply reply = client.send(method, APPLICATIONS, "", "");
            assertThat(reply.problem()).as(method).isEqualTo("method-not-allowed");
            assertThat(reply.header("Allow")).isEqualTo("GET, HEAD, OPTIONS, POST");
        }
        assertThat(client.get("/nothing/here").problem()).isEqualTo("not-found");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b", "a b", "märz→", "a.b", "..", ".", "%2F", "a+b", "a?b#c", "a;b=c", "\\", "\"", "why", "${x}",
                "a%00"
            })
    void id_anyCharacters_isFound(String id) {
        String json = "{\"id\": " + quoted(id) + ", \"queue\": \"root.default\", \"tasks\": [{\"id\": " + quoted(id)
                + ", \"nodeSelector\": {\"no\": \"where\"}}]}";
        Reply submitted = client.post(APPLICATIONS, json);
        assertThat(submitted.status()).as(submitted.text()).isEqualTo(201);
        Reply found = client.get(APPLICATIONS + "/" + TestHttpClient.encoded(id));
        assertThat(found.status()).as(found.text()).isEqualTo(200);
        assertThat(found.at("/id")).isEqualTo(id);
        Reply why = client.get(
                APPLICATIONS + "/" + TestHttpClient.encoded(id) + "/tasks/" + TestHttpClient.encoded(id) + "/why");
        assertThat(why.at("/task")).as(why.text()).isEqualTo(id);
        assertThat(client.post(APPLICATIONS + "/" + TestHttpClient.encoded(id) + "/cancel", "")
                        .status())
                .isEqualTo(200);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Test
    void json_malformed_isRefusedWithLocation() {
        Reply reply = client.put("/partitions/default/throttle", "{\n  \"tasksMax\": oops}");
        assertThat(reply.problem()).isEqualTo("malformed");
        assertThat(reply.at("/locations/0/line")).isEqualTo("2");
        assertThat(reply.json().at("/locations/0/column").asInt()).isPositive();
        for (String body : new String[] {
            "{\"tasksMax\": 1} x",
            "null",
            "[]",
            "7",
            "{\"tasksMax\": null}",
            "{\"tasksMax\": 1, \"more\": 2}",
            "{\"tasksMax\": 99999999999}",
            "{\"tasksMax\": \"a\"}",
            "[".repeat(200_000),
            "{\"tasksMax\": 1, \"tasksMax\": 2}"
        }) {
            Reply broken = client.put("/partitions/default/throttle", body);
            assertThat(broken.problem()).as("%.40s: %s", body, broken.text()).isEqualTo("malformed");
            assertThat(broken.text())
                    .as("no name of a Java class")
                    .doesNotContainPattern("`|(java|dev|tools)\\.[a-z]+\\.|[a-z][A-Z][a-z]+Exception|StreamRead");
        }
        assertThat(client.put("/partitions/default/throttle", "{\"tasksMax\": \"a\"}")
                        .at("/locations/0/message"))
                .isEqualTo("tasksMax must be a whole number, not a");
        assertThat(client.post("/partitions/default/reports", "{\"reports\": [{\"attempt\": [1]}]}")
                        .at("/locations/0/message"))
                .isEqualTo("reports[0].attempt must be a whole number");
    }

    @Test
    void malformedHttp_isAnsweredWithProblem() throws Exception {
        assertThat(RawClient.ask(daemon.port(), "GIBBERISH\r\n\r\n")).contains("400");
        assertThat(RawClient.ask(daemon.port(), "GET /%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("urn:sluice:problem:malformed")
                .doesNotContain("<html");
        assertThat(ask("GET", HEALTH, "127.0.0.1", "X: " + "y".repeat(100_000) + "\r\n"))
                .startsWith("HTTP/1.1 431");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GIBBERISH\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nExpect: unknown\r\n\r\n"
            })
    void refusal_closingConnection_hasConnectionClose(String request) throws Exception {
        assertThat(RawClient.ask(daemon.port(), request)).contains("\r\nConnection: close\r\n");
    }

    @Test
    void path_tooLong_isRefusedAndClosesConnection() throws Exception {
        assertThat(RawClient.ask(daemon.port(), "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 414")
                .contains("\r\nConnection: close\r\n");
    }

    @Test
    void request_refusedBeforeBody_hasConnectionClose() throws Exception {
        String head = "POST /api/v1" + APPLICATIONS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n";
        assertThat(RawClient.ask(daemon.port(), head + "Content-Type: application/xml\r\n\r\n"))
                .startsWith("HTTP/1.1 415")
                .contains("\r\nConnection: close\r\n");
    }

    @Test
    void head_refusedEarly_hasNoBody() throws Exception {
        String answer = ask("HEAD", HEALTH, "127.0.0.1", "X: " + "y".repeat(100_000) + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 431").endsWith("\r\n\r\n");
    }

    /** Cases differ in what the parser had read: method, path or nothing after it. */
    @ParameterizedTest
    @ValueSource(strings = {"/%zz", "/%00", "x", "/ HTTP/9", "/LONG"})
    void head_malformedPath_hasNoBody(String path) throws Exception {
        String line = path.replace("LONG", "x".repeat(20_000)) + (path.contains(" ") ? "" : " HTTP/1.1");
        String rest = " " + line + "\r\nHost: localhost\r\n\r\n";
        assertThat(RawClient.ask(daemon.port(), "GET" + rest))
                .startsWith("HTTP/1.1 ")
                .contains("urn:sluice:problem:malformed");
        for (String before : List.of("", "\r\n")) {
            assertThat(RawClient.ask(daemon.port(), before + "HEAD" + rest))
                    .as(path)
                    .startsWith("HTTP/1.1 ")
                    .contains("\r\nConnection: close\r\n")
                    .endsWith("\r\n\r\n")
                    .doesNotContain("urn:sluice:problem:");
        }
    }

    @Test
    void expectation_unknown_isRefused() throws Exception {
        assertThat(ask("GET", HEALTH, "127.0.0.1", "Expect: unknown\r\n"))
                .startsWith("HTTP/1.1 417")
                .contains("urn:sluice:problem:expectation");
        client.get("/health"); // fetches the OpenAPI document
        assertThat(client.contract()
                        .document()
                        .at("/paths/~1api~1v1~1health/get/responses/417")
                        .isObject())
                .isTrue();
    }

    @Test
    void body_announcedTooLarge_isRefusedBeforeSending() throws Exception {
        assertThat(ask(
                        "POST",
                        "/api/v1" + APPLICATIONS,
                        "localhost",
                        "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100000000\r\n"))
                .startsWith("HTTP/1.1 413")
                .contains("\r\nConnection: close\r\n");
        assertThat(ask(
                        "POST",
                        "/api/v1" + APPLICATIONS,
                        "localhost",
                        "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"))
                .as("small body is accepted")
                .contains("HTTP/1.1 201");
    }

    @Test
    void name_withControlCharacter_isRefused() {
        for (String field : List.of(
                "\"id\": \"a\\u001bb\"",
                "\"user\": \"a\\u0000b\"",
                "\"tags\": {\"k\": \"a\\u0007b\"}",
                "\"tasks\": [{\"id\": \"a\\u009bb\"}]")) {
            Reply reply = client.post(APPLICATIONS, "{\"queue\": \"root.default\", " + field + "}");
            assertThat(reply.problem()).as(reply.text()).isEqualTo("invalid");
            assertThat(reply.at("/detail")).contains("control character");
        }
        Reply node =
                client.post("/partitions/default/nodes", "{\"name\": \"a\\u001bb\", \"capacity\": {\"vcore\": \"1\"}}");
        assertThat(node.problem()).as(node.text()).isEqualTo("invalid");
    }

    @Test
    void body_unknownLength_isBounded() throws Exception {
        StringBuilder chunk = new StringBuilder();
        chunk.append(Integer.toHexString(1 << 20))
                .append("\r\n")
                .append("x".repeat(1 << 20))
                .append("\r\n");
        try (RawClient raw = new RawClient(daemon.port())) {
            raw.write("POST /api/v1" + APPLICATIONS
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding:"
                    + " chunked\r\n\r\n");
            try {
                for (int i = 0; i < 17; i++) {
                    raw.write(chunk.toString());
                }
            } catch (java.io.IOException refusedBefore) {
                assertThat(refusedBefore).isNotNull();
            }
            assertThat(raw.readAll()).startsWith("HTTP/1.1 413").contains("too-large");
        }
        assertThat(client.get("/health").status()).isEqualTo(200);
    }

    @Test
    void slowAndIdleClients_doNotBlockOthers() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 1000; i++) {
                clients.add(new RawClient(daemon.port()));
            }
            for (int i = 0; i < 500; i++) {
                clients.get(i)
                        .write("POST /api/v1" + APPLICATIONS
                                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type:"
                                + " application/json\r\nContent-Length: 50\r\n\r\n{\"id");
            }
            for (int i = 500; i < 700; i++) {
                clients.get(i).write("GET /api/v1/hea");
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/partitions").status()).isEqualTo(200);
            }
        } finally {
            for (RawClient each : clients) {
                each.close();
            }
        }
    }

    @Test
    void caller_named_isRecorded() {
        Reply reply = client.send(
                "POST",
                APPLICATIONS,
                "{\"id\": \"mine\", \"queue\": \"root.default\"}",
                TestHttpClient.JSON,
                "Sluice-User",
                "ada");
        assertThat(reply.status()).isEqualTo(201);
        assertThat(client.get(APPLICATIONS + "/mine").at("/user")).isEqualTo("ada");
        assertThat(client.send("GET", "/partitions", "", "", "Sluice-User", "x".repeat(300))
                        .problem())
                .isEqualTo("malformed");
    }
}
