package dev.sluice.kubernetes.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.TaskRef;
import dev.sluice.kubernetes.binding.FakeApiServer;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.runtime.local.LogFolder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class PodLogsTest {

    private static final TaskRef TASK = new TaskRef("default", "etl", "load", TaskRef.SINGLE);

    @TempDir
    private Path directory;

    private FakeApiServer server;
    private KubernetesClient client;
    private LogFolder folder;
    private PodLogs logs;

    @BeforeEach
    void start() throws IOException {
        server = new FakeApiServer();
        client = server.client();
        folder = new LogFolder(directory, true);
        logs = new PodLogs(client, folder, 1000);
    }

    @AfterEach
    void end() {
        server.release(10);
        logs.close();
        client.close();
        server.close();
    }

    private static PodLog run(int attempt) {
        return new PodLog(
                new PodRun("default", "etl", "load", attempt, attempt),
                TASK,
                "team-a",
                Instant.now().minusSeconds(5));
    }

    private void keep(PodLog log) {
        logs.expect(TASK);
        assertThat(logs.isCopying(TASK)).isTrue();
        logs.keep(log);
        await().until(() -> !logs.isCopying(TASK));
    }

    private String file() {
        try {
            return Files.readString(folder.file(TASK));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void log_isFollowedForReaders_andCompleteAfterTheEnd() {
        PodLog log = run(1);
        server.log(log.run().podName(), "one\n", false);
        logs.await(log);
        await().until(() -> file().equals("one\n"));
        logs.await(log);
        assertThat(server.requests).as("once for all readers").hasSize(1);
        assertThat(logs.isCopying(TASK)).isTrue();

        server.log(log.run().podName(), "one\ntwo\n", true);
        server.release(1);
        await().until(() -> !logs.isCopying(TASK));
        assertThat(file()).isEqualTo("one\ntwo\n");
    }

    @Test
    void end_whileALogIsFollowed_copiesItOnce() {
        PodLog log = run(1);
        server.log(log.run().podName(), "one\n", false);
        logs.await(log);
        server.log(log.run().podName(), "one\ntwo\n", true);
        keep(log);
        assertThat(file()).isEqualTo("one\ntwo\n");
    }

    @Test
    void laterRun_isAppendedAfterASeparator() {
        server.log(run(1).run().podName(), "first\n", true);
        server.log(run(2).run().podName(), "second\n", true);
        keep(run(1));
        keep(run(2));
        assertThat(file()).matches("first\n--- restarted at \\S+ ---\nsecond\n");
    }

    @Test
    void partialLog_isCompletedByALaterServer() throws IOException {
        server.log(run(1).run().podName(), "one\ntwo\n", true);
        Files.createDirectories(folder.application("default", "etl"));
        Files.writeString(folder.file(TASK), "one\n");
        keep(run(1));
        assertThat(file()).isEqualTo("one\ntwo\n");
    }

    @Test
    void logOfAnEarlierApplication_isNotOverwritten() {
        server.log(run(1).run().podName(), "old\n", true);
        keep(run(1));
        PodLog later = new PodLog(
                new PodRun("default", "etl", "load", 1, 9),
                TASK,
                "team-a",
                Instant.now().plusSeconds(5));
        server.log(later.run().podName(), "new\n", true);
        keep(later);
        assertThat(file()).matches("old\n--- restarted at \\S+ ---\nnew\n");
    }

    @Test
    void largeLog_isCut() {
        server.log(run(1).run().podName(), "x".repeat(5000), true);
        keep(run(1));
        assertThat(file()).hasSize(1000);
    }

    @Test
    void containerThatHasNotStarted_hasAnEmptyLog() {
        logs.await(run(1));
        assertThat(file()).isEmpty();
        await().until(() -> !logs.isCopying(TASK));
    }
}
