package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StandbyServerTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    private final AtomicReference<String> reason = new AtomicReference<>("the leader is sluice-0");

    private HttpResponse<String> send(String method, String path) throws Exception {
        try (StandbyServer server =
                StandbyServer.start(TestDaemon.settings(folder), InstantSource.fixed(NOW), reason::get)) {
            return HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                                    .method(method, HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
        }
    }

    @ParameterizedTest
    @CsvSource({"/api/v1/health, 200", "/api/v1/ready, 503"})
    void health_saysStandbyAndLeader(String path, int status) throws Exception {
        HttpResponse<String> answer = send("GET", path);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body())
                .isEqualTo("{\"status\":\"standby\",\"detail\":\"the leader is sluice-0\","
                        + "\"parts\":{\"journal\":\"not open\"},\"since\":\"2026-01-01T00:00:00Z\",\"sequence\":0}");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/partitions",
        "POST, /api/v1/partitions/default/applications",
        "DELETE, /api/v1/partitions/default/applications/a",
        "GET, /metrics",
        "GET, /",
        "GET, /ws/v1/partitions",
        "GET, /nonsense"
    })
    void otherRoutes_answer503_withLeader(String method, String path) throws Exception {
        HttpResponse<String> answer = send(method, path);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("this server is on standby: the leader is sluice-0");
    }

    @Test
    void version_isAnswered() throws Exception {
        assertThat(send("GET", "/api/v1/version").body()).contains("\"v1\"");
    }
}
