package dev.sluice.cli;

import static dev.sluice.cli.client.FakeServer.answer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import dev.sluice.cli.answer.Texts;
import dev.sluice.cli.client.FakeServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that a real server does not give on demand. */
@Timeout(60)
final class FakeAnswersTest {

    @TempDir
    Path directory;

    private static ProgramResult execute(FakeServer server, String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--server", server.address().toString()));
        return Program.execute(all.toArray(String[]::new));
    }

    @Test
    void submission_whoseAnswerIsLost_isAcceptedOnce() throws Exception {
        Path file = directory.resolve("job.yaml");
        Files.writeString(file, "tasks: [{id: t}]");
        String taken = "{\"accepted\":1,\"refused\":0,\"results\":[{\"partition\":\"default\",\"id\":\"job\","
                + "\"accepted\":true,\"state\":\"Accepted\",\"queue\":\"root.default\"}]}";
        try (FakeServer server = new FakeServer(
                FakeServer.problem(429, "busy", "too much", "Retry-After: 0"),
                FakeServer.RESET,
                answer("200 OK", "application/json", taken, "Idempotency-Replayed: true"))) {
            ProgramResult answer = execute(server, "submit", "-q", file.toString());

            assertThat(answer.exitCode()).as(answer.err()).isZero();
            assertThat(answer.out()).isEqualTo("job\n");
            assertThat(server.requests().stream()
                            .map(request -> request.headers().get("idempotency-key"))
                            .distinct())
                    .hasSize(1)
                    .doesNotContainNull();
            assertThat(server.requests().get(2).line()).startsWith("POST /api/v1/submissions?file=");
            assertThat(server.requests().get(2).headers()).containsEntry("content-type", "application/yaml");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"why", "tasks", "get", "cancel"})
    void problem_withEscapeSequences_doesNotReachTheTerminal(String command) throws Exception {
        String detail = "there is no application \\u001b[31mx\\u009b2J\\u202e";
        try (FakeServer server = new FakeServer(FakeServer.problem(404, "not-found", detail))) {
            ProgramResult answer = execute(server, command, "x");

            assertThat(answer.err()).contains("there is no application �[31mx�2J�");
            assertThat(answer.out() + answer.err()).doesNotContainPattern("[\\p{Cc}\u202e&&[^\n]]");
        }
    }

    @Test
    void reasons_withEscapeSequences_doNotReachTheTerminal() throws Exception {
        String text = "\\u001b]0;gotcha\\u0007\\u202e";
        String why = "{\"partition\":\"default\",\"application\":\"a" + text + "\",\"state\":\"s" + text
                + "\",\"summary\":\""
                + text + "\",\"reasons\":[{\"tasks\":1,\"names\":[\"" + text + "\"],\"code\":\"c" + text
                + "\",\"detail\":\""
                + text + "\"}]}";
        try (FakeServer server = new FakeServer(answer("200 OK", "application/json", why))) {
            ProgramResult answer = execute(server, "why", "a");

            assertThat(answer.exitCode()).as(answer.err()).isZero();
            assertThat(answer.out()).contains("gotcha").doesNotContainPattern("[\\p{Cc}\u202e&&[^\n]]");
        }
    }

    @Test
    void pastReasons_listed_haveTheirTimes() throws Exception {
        String waits = "{\"application\":\"a\",\"items\":[{\"from\":\"2026-03-01T10:00:05Z\","
                + "\"seen\":\"2026-03-01T10:03:00Z\",\"code\":\"quota\",\"detail\":\"queue root.q is at its maximum\","
                + "\"tasks\":3}]}";
        try (FakeServer server = new FakeServer(
                answer("200 OK", "application/json", waits),
                answer("200 OK", "application/json", "{\"application\":\"a\",\"items\":[]}"))) {
            ProgramResult answer = execute(server, "why", "a", "--past");
            assertThat(answer.exitCode()).as(answer.err()).isZero();
            String times = Texts.time(Instant.parse("2026-03-01T10:00:05Z")) + "  "
                    + Texts.time(Instant.parse("2026-03-01T10:03:00Z"));
            assertThat(answer.out().lines())
                    .hasSize(2)
                    .contains(times + "      3  quota   queue root.q is at its maximum");
            assertThat(server.requests().get(0).line())
                    .startsWith("GET /api/v1/partitions/default/applications/a/waits");
            assertThat(execute(server, "why", "a", "--past").out()).isEqualTo("no past reasons of a\n");
            assertThat(execute(server, "why", "a", "t", "--past").err()).contains("remove the task t");
        }
    }

    @Test
    void submission_thatNoQueueTook_exits1() throws Exception {
        Path file = directory.resolve("job.yaml");
        Files.writeString(file, "tasks: [{id: t}]");
        String rejected = "{\"accepted\":0,\"refused\":1,\"results\":[{\"partition\":\"default\",\"id\":\"job\","
                + "\"accepted\":false,\"state\":\"Rejected\",\"reason\":\"queue root.x not found\"}]}";
        try (FakeServer server = new FakeServer(answer("200 OK", "application/json", rejected))) {
            ProgramResult answer = execute(server, "submit", file.toString());

            assertThat(answer.exitCode()).isEqualTo(1);
            assertThat(answer.out()).isEmpty();
            assertThat(answer.err()).contains("job was rejected: queue root.x not found");
        }
    }

    @Test
    void snapshot_isWrittenAsTheServerHasIt() throws Exception {
        try (FakeServer server = new FakeServer(
                answer("200 OK", "application/yaml", "at: 2026-01-01T12:00:00Z\n"),
                answer("200 OK", "application/json", "{}"))) {
            assertThat(execute(server, "snapshot").out()).isEqualTo("at: 2026-01-01T12:00:00Z\n");
            assertThat(execute(server, "snapshot", "-o", "json").out()).isEqualTo("{}\n");

            assertThat(server.requests().get(0).line()).isEqualTo("GET /api/v1/snapshot HTTP/1.1");
            assertThat(server.requests().get(0).headers()).containsEntry("accept", "application/yaml");
            assertThat(server.requests().get(1).headers()).containsEntry("accept", "application/json");
            assertThat(execute(server, "snapshot", "-o", "table").exitCode()).isEqualTo(2);
        }
    }

    @Test
    void route_unknownToServer_hintsAtOlderServer() throws Exception {
        try (FakeServer server =
                new FakeServer(FakeServer.problem(404, "not-found", "path /api/v1/snapshot not found"))) {
            ProgramResult answer = execute(server, "snapshot");

            assertThat(answer.exitCode()).isEqualTo(1);
            assertThat(answer.err())
                    .isEqualTo("sluice: path /api/v1/snapshot not found on this server; it may be older than this"
                            + " program\n");
        }
    }

    @Test
    void health_ofDegradedServer_exits1() throws Exception {
        String stalled = "{\"status\":\"stalled\",\"detail\":\"the disk is full\",\"parts\":{\"journal\":\"stalled\"},"
                + "\"since\":\"2026-01-01T12:00:00Z\",\"sequence\":7}";
        try (FakeServer server = new FakeServer(
                answer("200 OK", "application/json", stalled),
                answer("503 x", "application/json", stalled.replace("\"stalled\",\"d", "\"down\",\"d")))) {
            ProgramResult answer = execute(server, "health");
            assertThat(answer.exitCode()).isEqualTo(1);
            assertThat(answer.out()).contains("is stalled: the disk is full\n  journal     stalled\n");

            ProgramResult down = execute(server, "health", "-o", "json");
            assertThat(down.exitCode()).isEqualTo(1);
            assertThat(down.out()).contains("\"status\": \"down\"");
        }
    }

    @Test
    void events_thatAreFollowed_areLinesOfJson() throws Exception {
        String event =
                "{\"sequence\":8,\"at\":\"2026-01-01T12:00:00Z\",\"type\":\"node.registered\",\"partition\":\"default\","
                        + "\"action\":\"x\",\"actor\":\"\",\"data\":{\"node\":\"n\"}}";
        try (FakeServer server = new FakeServer(
                answer("200 OK", "application/json", "{\"items\":[" + event.replace("8", "7") + "],\"next\":\"7\"}"),
                answer("200 OK", "text/event-stream", "id: 8\nevent: node.registered\ndata: " + event + "\n\n"),
                FakeServer.problem(404, "not-found", "enough"))) {
            ProgramResult answer = execute(server, "events", "-f", "--last", "0", "-o", "json", "--application", "etl");

            assertThat(answer.out()).isEqualTo(event + "\n");
            assertThat(server.requests().get(1).line()).isEqualTo("GET /api/v1/events/stream?application=etl HTTP/1.1");
            assertThat(server.requests().get(1).headers()).containsEntry("last-event-id", "7");
            assertThat(server.requests().get(2).headers()).containsEntry("last-event-id", "8");
            assertThat(answer.exitCode()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Completed, 0, 0",
        "Failed, 1, 0",
        "Rejected, 1, 0",
        "Expired, 1, 0",
    })
    void wait_forEndedApplication_returns(String state, int completed, int ended) throws Exception {
        String application =
                "{\"id\":\"etl\",\"partition\":\"default\",\"name\":\"etl\",\"user\":\"eve\",\"groups\":[],"
                        + "\"tags\":{},\"state\":\"" + state + "\",\"stateSince\":\"2026-01-01T12:00:00Z\","
                        + "\"submitted\":\"2026-01-01T11:00:00Z\",\"sealed\":true,\"held\":false,\"onFailure\":\"continue\",\"allocated\":{},"
                        + "\"tasks\":{}}";
        String answer = answer("200 OK", "application/json", application);
        try (FakeServer server = new FakeServer(answer, answer)) {
            ProgramResult wait = execute(server, "wait", "etl", "--timeout", "20s");
            assertThat(wait.exitCode()).as(wait.err()).isEqualTo(completed);
            assertThat(wait.err()).isEmpty();
            assertThat(execute(server, "wait", "etl", "--timeout", "20s", "--for", "ended")
                            .exitCode())
                    .isEqualTo(ended);
        }
    }
}
