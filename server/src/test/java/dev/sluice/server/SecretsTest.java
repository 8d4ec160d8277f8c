package dev.sluice.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.secret.SecretKeyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of tasks, which only their processes see. */
final class SecretsTest {

    private static final String VALUE = "hunter2-of-a-test";
    private static final String OTHER = "correct-horse-of-a-test";

    private static final String FILE = """
            id: "%s"
            tasks:
              - id: t
                secrets: {TOKEN: "%s", OTHER: ""}
                command: '[ "$TOKEN:$OTHER" = "%s:%s" ] && until [ -e %s ]; do sleep 0.02; done'
            """;

    @TempDir
    Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    private String file(String id, Path go) {
        // the command must not contain the values themselves
        return FILE.formatted(id, VALUE, "hunter2\"\"-of-a-test", "correct\"\"-horse-of-a-test", go);
    }

    private static Reply submit(TestDaemon server, String file, String secrets) {
        return server.client().send("POST", "/submissions", file, TestHttpClient.YAML, "Sluice-Secrets", secrets);
    }

    @Test
    void secrets_ofRunningTask_areInNoFileAnswerOrCommandLine() throws Exception {
        Path go = folder.resolve("go");
        try (TestDaemon server = TestDaemon.start(TestDaemon.settings(data()))) {
            RoutesFixture.ok(submit(server, file("a", go), "OTHER=" + OTHER));
            server.client().awaitState("a", "Running");
            String application = "/partitions/default/applications/a";
            for (String path : List.of(
                    application,
                    application + "/tasks",
                    application + "/tasks/t",
                    application + "/tasks/t/log",
                    application + "/why",
                    "/snapshot",
                    "/events",
                    "/audit",
                    "/partitions/default/workload")) {
                Reply reply = server.client().get(path);
                assertThat(reply.text()).as(path).doesNotContain(VALUE).doesNotContain(OTHER);
            }
            assertThat(server.client().get("/snapshot").text())
                    .contains("secrets")
                    .contains("TOKEN");
            assertThat(commandLines()).noneMatch(line -> line.contains(VALUE) || line.contains(OTHER));
            server.requestCheckpoint().get();
            assertInNoFile();
            Files.createFile(go);
            server.client().awaitState("a", "Completed");
        }
        assertInNoFile();
        assertThat(data().resolve(SecretKeyFile.NAME)).exists();
    }

    private void assertInNoFile() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                try {
                    assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
                            .as("%s", file)
                            .doesNotContain(VALUE)
                            .doesNotContain(OTHER);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static List<String> commandLines() {
        return ProcessHandle.allProcesses()
                .map(process -> process.info().commandLine().orElse(""))
                .toList();
    }

    @Test
    @Tag("slow")
    void secrets_ofWaitingTask_surviveRestartUnlessKeyIsLost() throws Exception {
        Path go = Files.createFile(folder.resolve("go"));
        try (TestDaemon server = TestDaemon.start(TestDaemon.settings(data()))) {
            RoutesFixture.ok(submit(server, "hold: true\n" + file("a", go), "OTHER=" + OTHER));
            RoutesFixture.ok(submit(server, "hold: true\n" + file("b", go), "OTHER=" + OTHER));
        }
        try (TestDaemon server = TestDaemon.start(TestDaemon.settings(data()))) {
            RoutesFixture.ok(server.client().post("/partitions/default/applications/b/release", ""));
            server.client().awaitState("b", "Completed");
        }
        Files.delete(data().resolve(SecretKeyFile.NAME));
        try (TestDaemon server = TestDaemon.start(TestDaemon.settings(data()))) {
            RoutesFixture.ok(server.client().post("/partitions/default/applications/a/release", ""));
            server.client().awaitState("a", "Failed");
            assertThat(server.client()
                            .get("/partitions/default/applications/a/tasks/t/log")
                            .text())
                    .contains("sluice: cannot decrypt secret OTHER: its key ")
                    .contains("restore that file");
        }
    }

    @Test
    void secrets_withoutValueOrName_areRefused() throws Exception {
        try (TestDaemon server = TestDaemon.start(TestDaemon.settings(data()))) {
            assertThat(RoutesFixture.expect(422, "invalid", submit(server, file("a", folder), ""))
                            .text())
                    .contains("secret OTHER has no value")
                    .doesNotContain(VALUE);
            assertThat(RoutesFixture.expect(422, "invalid", submit(server, file("a", folder), "a-b=" + OTHER))
                            .text())
                    .contains("Sluice-Secrets must be form-encoded variables")
                    .doesNotContain(OTHER);
        }
    }

    @Test
    void application_withSecrets_isEncryptedOnEveryRoute() throws Exception {
        String document =
                "{\"id\": \"b\", \"tasks\": [{\"id\": \"t\", \"command\": \"true\", \"secrets\": {\"TOKEN\": \"" + VALUE
                        + "\"}}]}";
        String added = document.replace("\"id\": \"b\", ", "").replace("\"t\"", "\"u\"");
        try (TestDaemon server = TestDaemon.start(TestDaemon.settings(data()))) {
            RoutesFixture.expect(201, "", server.client().post("/partitions/default/applications", document));
            RoutesFixture.ok(server.client().post("/partitions/default/applications/b/tasks", added));
            RoutesFixture.ok(server.client()
                    .post("/partitions/default/applications?dryRun=true", document.replace("\"b\"", "\"c\"")));
        }
        assertInNoFile();
    }
}
