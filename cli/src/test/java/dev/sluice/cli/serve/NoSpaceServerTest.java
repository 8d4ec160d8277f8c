package dev.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.ProgramTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks and a server on disks without free space. */
@ProgramTest
@Tag("slow")
@Timeout(300)
final class NoSpaceServerTest {

    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final int COUNT = 50;

    @TempDir
    Path folder;

    private static void submit(RetryingTestClient client, String id, String command) throws IOException {
        RetryingTestClient.TestResponse answer = client.post(
                APPLICATIONS,
                "{id: " + id + ", sealed: true, tasks: [{id: t, resources: {vcore: 10m}, command: \"" + command
                        + "\"}]}");
        assertThat(answer.status()).isEqualTo(201);
    }

    private static String state(RetryingTestClient client, String id) throws IOException {
        return client.get(APPLICATIONS + "/" + id).json().path("state").asString("");
    }

    private static String status(RetryingTestClient client) throws IOException {
        return client.get("/health").json().path("status").asString("");
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(120, TimeUnit.SECONDS)
                .pollInterval(50, TimeUnit.MILLISECONDS)
                .until(condition);
    }

    /** The scratch folders are on a disk without free inodes; the journal is not. */
    @Test
    void diskWithoutInodes_suspendsNodeAndFailsNoTask() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "size=12m,nr_inodes=40");
                ServerProcess server = ServerProcess.begin(
                        folder.resolve("errors"),
                        "--data=" + folder.resolve("data"),
                        "--work=" + disk.path().resolve("work"))) {
            RetryingTestClient client = new RetryingTestClient(server.awaitReady());
            List<Path> fillers = fill(disk.path());
            for (int i = 0; i < COUNT; i++) {
                submit(client, "a" + i, "true");
            }
            await("health tells", () -> status(client).equals("degraded"));
            assertThat(client.get("/health").json().get("detail").asString())
                    .contains("tasks cannot be started on this machine")
                    .contains("No space left on device");
            await(
                    "everything waits",
                    () -> client.get("/partitions/default/nodes/local")
                            .json()
                            .get("health")
                            .asString()
                            .equals("suspended"));
            for (int i = 0; i < COUNT; i++) {
                assertThat(state(client, "a" + i)).as("a%d", i).isNotIn("Failed", "Failing");
            }

            for (Path filler : fillers) {
                Files.delete(filler);
            }

            for (int i = 0; i < COUNT; i++) {
                String id = "a" + i;
                await(id, () -> state(client, id).equals("Completed"));
            }
            await("health is well", () -> status(client).equals("up"));
        }
    }

    private static List<Path> fill(Path disk) throws IOException {
        List<Path> files = new ArrayList<>();
        try {
            while (true) {
                files.add(Files.createFile(disk.resolve("filler-" + files.size())));
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("space");
        }
        return files;
    }

    /** The log of a task that writes endlessly is on the disk of the journal. */
    @Test
    void logThatFillsTheDisk_doesNotPreventCancel() throws Exception {
        String chatty = "while :; do head -c 1000000 /dev/zero; done 2>/dev/null";
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "size=256m")) {
            String data = "--data=" + disk.path().resolve("data");
            try (ServerProcess server = ServerProcess.begin(folder.resolve("errors"), data)) {
                RetryingTestClient client = new RetryingTestClient(server.awaitReady());
                await("the reserve", () -> Files.exists(disk.path().resolve("data/reserve")));
                submit(client, "chatty", chatty);
                await("the disk is full", () -> Files.getFileStore(disk.path()).getUsableSpace() < (1 << 20));
                server.kill();
            }
            try (ServerProcess server = ServerProcess.begin(folder.resolve("errors-2"), data)) {
                RetryingTestClient client = new RetryingTestClient(server.awaitReady());
                await(
                        "it is cancelled",
                        () -> client.postJson(APPLICATIONS + "/chatty/cancel", Map.of())
                                        .status()
                                == 200);
                await("it has ended", () -> state(client, "chatty").equals("Failed"));
            }
        }
    }
}
