package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server does not run out of memory under unlimited submissions, nor at the next start. */
@Timeout(300)
@ProgramTest
@Tag("slow")
final class FullMemoryServerTest {

    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final int SUBMISSIONS_MAX = 5_000;
    private static final List<String> LITTLE_MEMORY = List.of("-Xmx48m");

    @TempDir
    Path folder;

    private static String application(int number) {
        String tasks = IntStream.range(0, 200)
                .mapToObj(i -> "{\"id\":\"t" + i + "\",\"command\":[\"work\",\"" + number + "/" + i + "\"]}")
                .collect(Collectors.joining(","));
        return "{\"id\":\"a" + number + "\",\"queue\":\"root.default\",\"tasks\":[" + tasks + "]}";
    }

    @Test
    void submissions_beyondMemory_areRefused() throws Exception {
        Path data = folder.resolve("data");
        int taken = 0;
        try (ServerProcess server = ServerProcess.begin(data, LITTLE_MEMORY, "--no-node")) {
            server.awaitReady();
            RetryingTestClient client = new RetryingTestClient(server.port());
            RetryingTestClient.TestResponse answer = client.post(APPLICATIONS, application(0));
            while (answer.isOk() && taken < SUBMISSIONS_MAX) {
                taken++;
                answer = client.post(APPLICATIONS, application(taken));
            }
            assertThat(answer.status()).as(answer.text()).isEqualTo(429);
            assertThat(answer.text()).contains("memory");
            assertThat(client.get("/health").status()).isEqualTo(200);
            server.kill();
        }
        try (ServerProcess server = ServerProcess.begin(data, LITTLE_MEMORY, "--no-node")) {
            server.awaitReady();
            RetryingTestClient client = new RetryingTestClient(server.port());
            assertThat(client.get(APPLICATIONS + "/a" + (taken - 1)).status()).isEqualTo(200);
            assertThat(client.get(APPLICATIONS + "/a" + taken).status()).isEqualTo(404);
        }
    }
}
