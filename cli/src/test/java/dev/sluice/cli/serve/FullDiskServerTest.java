package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server on a full file system. Mounting one requires root. */
@Timeout(300)
@ProgramTest
final class FullDiskServerTest {

    @TempDir
    Path folder;

    private Path disk = Path.of("");
    private volatile boolean isFull;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", disk.toString()) == 0,
                "a small file system cannot be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", "-l", disk.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    @Tag("slow")
    void server_onAFullDisk_resumesWhenSpaceIsFree() throws Exception {
        Path data = disk.resolve("data");
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (ServerProcess server = ServerProcess.begin(
                folder.resolve("errors"), "--data=" + data, "--slots", "2", "--checkpoint-events", "1000000")) {
            RetryingTestClient client = new RetryingTestClient(server.awaitReady());
            submit(client, "before", acknowledged);
            Path filling = disk.resolve("filling");
            fill(filling);
            // Uses up the free space within the database file first.
            CompletableFuture<Boolean> unanswered =
                    CompletableFuture.supplyAsync(() -> submitUntilFull(client, acknowledged));
            Awaitility.await("it stalls")
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> client.get("/ready").status() == 503);
            RetryingTestClient.TestResponse health = client.get("/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.json().get("status").asString()).isEqualTo("stalled");
            assertThat(health.json().get("detail").asString())
                    .contains("nothing is acknowledged")
                    .contains("Free disk space");
            Set<String> meanwhile = new LinkedHashSet<>();
            assertThat(submit(client, "meanwhile", meanwhile)).isEqualTo(503);
            isFull = true;
            Set<String> before = Set.copyOf(acknowledged);
            assertThat(unanswered).as("what was asked for last").isNotDone();
            assertThat(Files.readAllLines(ran()))
                    .as("what has begun, which is only what was acknowledged")
                    .isSubsetOf(acknowledged);
            assertThat(acknowledged).as("while the disk is full").isEqualTo(before);
            Files.delete(filling);
            Awaitility.await("it goes on")
                    .atMost(30, TimeUnit.SECONDS)
                    .until(() -> client.get("/ready").status() == 200);
            assertThat(unanswered.get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(client.get("/health").json().get("status").asString()).isEqualTo("up");
            assertThat(submit(client, "after", acknowledged)).isEqualTo(201);
            server.kill();
        }
        StoredState kept = StoredState.read(data, true);
        assertThat(kept.ended().keySet()).containsAll(acknowledged).doesNotContain("meanwhile");
    }

    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[4096];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("space");
        }
    }

    /**
     * Submits until the disk has been full and another submission is acknowledged; returns whether that happened. If
     * the report of a task fills the disk first, the next submission is refused at once.
     */
    private boolean submitUntilFull(RetryingTestClient client, Set<String> acknowledged) {
        try {
            for (int i = 0; true; i++) {
                int status = submit(client, "x" + i, acknowledged);
                if (status == 201 ? isFull : status != 503) {
                    return status == 201;
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** File on another disk that lists applications with started tasks. */
    private Path ran() {
        return folder.resolve("ran");
    }

    private int submit(RetryingTestClient client, String id, Set<String> acknowledged) throws IOException {
        RetryingTestClient.TestResponse answer = client.post(
                "/partitions/default/applications",
                "{id: " + id + ", tags: {text: " + "x".repeat(4000)
                        + "}, tasks: [{id: t, resources: {vcore: 10m}, command: \"echo $SLUICE_APPLICATION >> " + ran()
                        + "\"}]}");
        if (answer.status() == 201) {
            acknowledged.add(id);
        }
        return answer.status();
    }
}
