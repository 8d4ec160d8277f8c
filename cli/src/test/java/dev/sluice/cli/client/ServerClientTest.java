package dev.sluice.cli.client;

import static dev.sluice.cli.client.FakeServer.RESET;
import static dev.sluice.cli.client.FakeServer.answer;
import static dev.sluice.cli.client.FakeServer.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client against a server with predefined responses; no test sleeps. */
@Timeout(60)
final class ServerClientTest {

    private static final String DONE = answer("201 Created", "application/json", "{\"id\":\"etl\"}");
    private static final ServerRequest SUBMIT = ServerRequest.post(
                    ApiPath.of("submissions"), ServerRequest.YAML, "tasks: []")
            .once();

    @TempDir
    Path directory;

    private final List<Duration> pauses = new ArrayList<>();
    private long nanos;

    private ServerClient client(URI address) {
        return new ServerClient(
                address,
                "Zoë",
                null,
                () -> new RetryPolicy(Duration.ofSeconds(30), () -> nanos, duration -> {
                    pauses.add(duration);
                    nanos += duration.toNanos();
                }));
    }

    private static ClientException problemOf(ServerClient client, ServerRequest request) {
        return catchThrowableOfType(ClientException.class, () -> client.send(request));
    }

    @Test
    void request_withToken_namesNoUser() throws Exception {
        try (FakeServer server = new FakeServer(DONE)) {
            new ServerClient(server.address(), "ada", "slc_x", () -> RetryPolicy.of(Duration.ofSeconds(30)))
                    .send(SUBMIT);

            assertThat(server.requests().get(0).headers())
                    .containsEntry("authorization", "Bearer slc_x")
                    .doesNotContainKey("sluice-user");
        }
    }

    @Test
    void request_withoutValidToken_isExplained() throws Exception {
        try (FakeServer server = new FakeServer(problem(401, "unauthenticated", "no credentials"))) {
            assertThat(problemOf(client(server.address()), SUBMIT))
                    .hasMessage("no credentials: use the server's socket (--server unix:PATH), or an access token of"
                            + " sluice token create (--token-file)");
        }
    }

    @Test
    void request_toBusyServer_isRetriedAfterDelay() throws Exception {
        try (FakeServer server = new FakeServer(problem(429, "busy", "too much", "Retry-After: 7"), DONE)) {
            ServerAnswer answer = client(server.address()).send(SUBMIT);

            assertThat(answer.status()).isEqualTo(201);
            assertThat(pauses).containsExactly(Duration.ofSeconds(7));
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void submission_withLostResponse_isRetriedWithSameKey() throws Exception {
        try (FakeServer server = new FakeServer(RESET, RESET, DONE)) {
            assertThat(client(server.address()).send(SUBMIT).tree().get("id").asString())
                    .isEqualTo("etl");

            assertThat(server.requests())
                    .hasSize(3)
                    .allMatch(request -> request.body().equals("tasks: []"));
            assertThat(server.requests().stream()
                            .map(request -> request.headers().get("idempotency-key"))
                            .distinct())
                    .hasSize(1)
                    .doesNotContainNull();
            assertThat(pauses).containsExactly(RetryPolicy.FIRST, RetryPolicy.FIRST.multipliedBy(2));
        }
    }

    @Test
    void action_withLostResponse_isNotRetried() throws Exception {
        try (FakeServer server = new FakeServer(RESET, DONE)) {
            ClientException problem = problemOf(
                    client(server.address()), ServerRequest.post(ApiPath.of("cancel"), ServerRequest.JSON, "{}"));

            assertThat(problem.exitCode()).isEqualTo(3);
            assertThat(problem).hasMessageContaining(" lost: the request may or may not have been executed");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void server_thatStaysUnavailable_isGivenUp() throws Exception {
        String unavailable = problem(503, "unavailable", "the journal cannot be written", "Retry-After: 20");
        try (FakeServer server = new FakeServer(unavailable, unavailable)) {
            ClientException problem = problemOf(client(server.address()), ServerRequest.get(ApiPath.of("nodes")));

            assertThat(problem.exitCode()).isEqualTo(3);
            assertThat(problem).hasMessage("the journal cannot be written");
            assertThat(pauses).containsExactly(Duration.ofSeconds(20));
        }
    }

    @Test
    void unavailability_ofProxy_isNotRetried() throws Exception {
        String elsewhere = FakeServer.answer("503 x", "text/html", "<p>maintenance</p>", "Retry-After: 20");
        try (FakeServer server = new FakeServer(elsewhere, elsewhere)) {
            ClientException problem = problemOf(client(server.address()), ServerRequest.get(ApiPath.of("nodes")));

            assertThat(problem).hasMessageContaining("is not a Sluice server");
            assertThat(pauses).isEmpty();
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void server_restartingAfterReset_isRetried() throws Exception {
        FakeServer server = new FakeServer(RESET);
        URI address = server.address();
        ServerClient client = new ServerClient(
                address,
                "",
                null,
                () -> new RetryPolicy(Duration.ofSeconds(1), () -> nanos, duration -> {
                    closeQuietly(server);
                    pauses.add(duration);
                    nanos += duration.toNanos();
                }));

        ClientException problem = problemOf(client, SUBMIT);

        assertThat(problem).hasMessageStartingWith("no server at " + address);
        assertThat(pauses).hasSize(3);
    }

    private static void closeQuietly(FakeServer server) {
        try {
            server.close();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void server_thatIsNone_isNotWaitedFor() throws Exception {
        FakeServer server = new FakeServer(RESET);
        server.close();

        ClientException problem = problemOf(client(server.address()), SUBMIT);

        assertThat(problem.exitCode()).isEqualTo(3);
        assertThat(problem).hasMessageContaining("start one with sluice serve");
        assertThat(pauses).isEmpty();
    }

    @Test
    void server_thatIsAnother_isSaid() throws Exception {
        try (FakeServer server = new FakeServer(answer("404 Not Found", "text/html", "<p>"))) {
            ClientException problem = problemOf(client(server.address()), ServerRequest.get(ApiPath.of("nodes")));

            assertThat(problem).hasMessageContaining("status 404").hasMessageContaining("check --server");
            assertThat(problem.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void answer_withMoreThanIsKnown_isRead() throws Exception {
        String view = "{\"name\":\"sluice\",\"version\":\"9\",\"api\":\"v1\",\"java\":\"30\",\"moon\":\"full\"}";
        try (FakeServer server = new FakeServer(answer("200 OK", "application/json", view))) {
            assertThat(client(server.address())
                            .get(ApiPath.of("version"))
                            .as(dev.sluice.server.api.VersionView.class)
                            .version())
                    .isEqualTo("9");
            assertThat(server.requests().get(0).headers())
                    .containsEntry("sluice-user", "Zo?")
                    .containsEntry("accept", "application/json");
        }
    }

    @Test
    void request_overSocket_namesNoUser() throws Exception {
        Path socket = directory.resolve("my socket");
        try (FakeServer server = FakeServer.onSocket(socket, DONE)) {
            ServerAnswer answer =
                    client(Target.address("unix:" + socket, "--server")).send(SUBMIT);

            assertThat(answer.text()).isEqualTo("{\"id\":\"etl\"}");
            assertThat(server.requests().get(0).line()).isEqualTo("POST /api/v1/submissions HTTP/1.1");
            assertThat(server.requests().get(0).body()).isEqualTo("tasks: []");
            assertThat(server.requests().get(0).headers())
                    .containsEntry("host", "localhost")
                    .doesNotContainKey("sluice-user");
        }
    }

    @Test
    void socket_missingOrStale_isNoServer() throws Exception {
        Path socket = directory.resolve("stale");
        try (FakeServer stale = FakeServer.onSocket(socket)) {
            assertThat(stale.requests()).isEmpty();
        }
        for (Path path : List.of(socket, directory.resolve("missing"))) {
            ClientException problem = problemOf(client(URI.create("unix:" + path)), SUBMIT);
            assertThat(problem).hasMessageStartingWith("no server at unix:" + path + ": start one");
            assertThat(problem.exitCode()).isEqualTo(3);
        }
    }

    @Test
    void response_inChunks_isJoined() throws Exception {
        String chunks = String.join(
                "\r\n",
                "HTTP/1.1 200 OK",
                "content-TYPE: application/json; charset=utf-8",
                "Transfer-Encoding: chunked",
                "",
                "5;x=y",
                "{\"a\":",
                "0A",
                " \"1234567\"",
                "1",
                "}",
                "0",
                "Trailer: x",
                "",
                "");
        try (FakeServer server = new FakeServer(chunks)) {
            assertThat(client(server.address()).get(ApiPath.of("nodes")).text()).isEqualTo("{\"a\": \"1234567\"}");
        }
    }

    @Test
    void response_untilEndOfConnection_isRead() throws Exception {
        try (FakeServer server = new FakeServer(
                "HTTP/1.1 102 Wait\r\n\r\nHTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n[1]")) {
            assertThat(client(server.address()).get(ApiPath.of("nodes")).text()).isEqualTo("[1]");
        }
    }

    @Test
    void response_incompleteOrMalformed_isLostConnection() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
        for (String wrong : List.of(
                "nonsense\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-",
                head + "Content-Length: 3\r\n\r\n{}",
                head + "Content-Length: x\r\n\r\n{}",
                head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
                head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n",
                head + "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n",
                head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n")) {
            try (FakeServer server = new FakeServer(wrong)) {
                assertThat(problemOf(
                                client(server.address()),
                                ServerRequest.post(ApiPath.of("cancel"), ServerRequest.JSON, "{}")))
                        .as(wrong)
                        .hasMessageContaining(" lost: the request may or may not have been executed");
            }
        }
    }

    @Test
    void request_withoutAnswer_endsAtTimeLimit() throws Exception {
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(directory.resolve("silent")))) {
            ServerClient client = new ServerClient(
                    URI.create("unix:" + silent.getLocalAddress()),
                    "",
                    null,
                    () -> RetryPolicy.of(Duration.ofMillis(100)));

            assertThat(problemOf(client, SUBMIT))
                    .hasMessageContaining("timed out: the request may or may not have been executed; raise --timeout");
        }
    }

    @Test
    void path_ofNamesWithAnyCharacters_isEncoded() {
        assertThat(ApiPath.of("applications", "a/b c?ü", "..")
                        .with("queue", "a&b")
                        .with("user", null)
                        .with("limit", 5)
                        .text())
                .isEqualTo("/api/v1/applications/a%2Fb%20c%3F%C3%BC/%2E%2E?queue=a%26b&limit=5");
    }
}
