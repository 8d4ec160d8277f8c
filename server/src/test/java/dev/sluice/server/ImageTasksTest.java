package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.host.ConfigurationRecorder;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.MetricRegistry;
import dev.sluice.runtime.host.NodeProvider;
import dev.sluice.runtime.host.RunObstacles;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.local.LogFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks with an image, on servers that run containers and on those that do not. */
final class ImageTasksTest {

    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final String TASKS = "\"tasks\": [{\"id\": \"t\", \"image\": \"python:3.13\"}]";

    @TempDir
    private Path folder;

    /** Runs containers on one node, and has their logs. */
    private static final class Containers implements NodeProvider {

        private LogFolder logs = new LogFolder(Path.of(""), true);
        private volatile boolean copying;
        private volatile @Nullable String problem;
        private volatile Map<RunRef, Obstacle> obstacles = Map.of();

        @Override
        public String name() {
            return "Containers";
        }

        @Override
        public String partition() {
            return "default";
        }

        @Override
        public @Nullable String problem() {
            return problem;
        }

        @Override
        public void register(MetricRegistry registry) {}

        @Override
        public void open() {}

        @Override
        public void attach(EngineHost host, ConfigurationRecorder configurations) throws StoreException {
            host.execute(
                    Cause.internal("test"),
                    context -> context.handle(new Command.RegisterNode(
                            "default", "n", Resources.parse("vcore", "1"), new TreeMap<>(), List.of())));
        }

        @Override
        public void committed(long first, List<JournalEntry> entries) {}

        @Override
        public @Nullable String refusal(String partition, TaskSpec task) {
            return task.container() == null ? "task " + task.name() + " has no image" : null;
        }

        @Override
        public @Nullable String controlRefusal(String partition) {
            return "containers cannot be suspended: use sluice hold";
        }

        @Override
        public Map<RunRef, Obstacle> obstacles(String partition, String application) {
            return obstacles;
        }

        @Override
        public void copyTo(Path folder, long bytesMax) {
            logs = new LogFolder(folder, true);
        }

        @Override
        public void follow(Source source) {
            write(source.run().task(), "run " + source.run().attempt() + "\n");
            copying = true;
        }

        void write(TaskRef task, String text) {
            try {
                Files.createDirectories(logs.file(task).getParent());
                Files.writeString(logs.file(task), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean isCopying(TaskRef task) {
            return copying;
        }

        @Override
        public void close() {}
    }

    @Test
    void unreachableProvider_isInHealth() throws Exception {
        Containers containers = new Containers();
        try (TestDaemon daemon = TestDaemon.withProvider(TestDaemon.settings(folder), containers)) {
            TestHttpClient client = daemon.client();
            assertThat(client.get("/health").text()).contains("\"status\":\"up\"", "\"Containers\":\"ok\"");
            containers.problem = "no answer since noon";
            assertThat(client.get("/health").status()).isEqualTo(200);
            assertThat(client.get("/health").text())
                    .contains(
                            "\"status\":\"degraded\"",
                            "\"detail\":\"no answer since noon\"",
                            "\"Containers\":\"no answer since noon\"");
        }
    }

    @Test
    void image_whereTasksAreProcesses_isRefused() throws Exception {
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(folder))) {
            TestHttpClient client = daemon.client();
            String refusal = "task t has an image, but here tasks are processes, not containers: remove image,"
                    + " or submit it to a server with --kubernetes";
            assertThat(client.post(APPLICATIONS, "{\"id\": \"a\", " + TASKS + "}")
                            .text())
                    .contains("\"status\":422", refusal);
            assertThat(client.post("/submissions", "{" + TASKS + "}").text()).contains(refusal);
            assertThat(client.post(APPLICATIONS, "{\"id\": \"a\"}").status()).isEqualTo(201);
            assertThat(client.post(APPLICATIONS + "/a/tasks", "{" + TASKS + "}").text())
                    .contains(refusal);
        }
    }

    @Test
    void taskWithoutImage_whereTasksAreContainers_isRefused() throws Exception {
        try (TestDaemon daemon = TestDaemon.withProvider(DaemonSettings.in(folder), new Containers())) {
            TestHttpClient client = daemon.client();
            assertThat(client.post("/submissions", "{\"tasks\": [{\"id\": \"t\", \"command\": \"x\"}]}")
                            .text())
                    .contains("\"accepted\":0", "task t has no image");
            assertThat(client.post(APPLICATIONS, "{\"id\": \"a\", " + TASKS + "}")
                            .status())
                    .isEqualTo(201);
            assertThat(client.get(APPLICATIONS + "/a").text()).contains("\"image\":\"python:3.13\"");
        }
    }

    @Test
    void suspensionAndSignals_whereTasksAreContainers_areRefused() throws Exception {
        try (TestDaemon daemon = TestDaemon.withProvider(DaemonSettings.in(folder), new Containers())) {
            TestHttpClient client = daemon.client();
            client.post(APPLICATIONS, "{\"id\": \"a\", " + TASKS + "}");
            for (String body : List.of("", "{\"tasks\": [\"t\"]}")) {
                assertThat(client.post(APPLICATIONS + "/a/suspend", body).text())
                        .contains("\"status\":409", "containers cannot be suspended: use sluice hold");
            }
            assertThat(client.post(APPLICATIONS + "/a/signal", "{\"signal\": \"USR1\"}")
                            .text())
                    .contains("\"status\":422", "containers cannot be suspended: use sluice hold");
            assertThat(client.get(APPLICATIONS + "/a").text()).contains("\"held\":false");
            assertThat(client.post(APPLICATIONS + "/a/hold", "").text()).contains("\"held\":true");
        }
    }

    @Test
    void runThatCannotStart_showsWhy() throws Exception {
        Containers containers = new Containers();
        try (TestDaemon daemon = TestDaemon.withProvider(DaemonSettings.in(folder), containers)) {
            TestHttpClient client = daemon.client();
            client.post(APPLICATIONS, "{\"id\": \"a\", " + TASKS + "}");
            String task = APPLICATIONS + "/a/tasks/t";
            await().until(() -> client.get(task).text().contains("\"starting\""));
            assertThat(client.get(APPLICATIONS + "/a/why").text()).contains("no tasks are waiting");
            RunRef run = new RunRef(new TaskRef("default", "a", "t", TaskRef.SINGLE), 1);
            containers.obstacles = Map.of(
                    run,
                    new RunObstacles.Obstacle("pod p", "ErrImagePull"),
                    new RunRef(run.task(), 2),
                    new RunObstacles.Obstacle("pod q", "of another run"));
            assertThat(client.get(task).text()).contains("\"detail\":\"pod p: ErrImagePull\"");
            assertThat(client.get(APPLICATIONS + "/a/tasks").text()).contains("\"detail\":\"pod p: ErrImagePull\"");
            assertThat(client.get(task + "/why").text())
                    .contains("\"summary\":\"allocated on n; not reported as started yet; pod p: ErrImagePull\"")
                    .contains("\"code\":\"cannot-start\"");
            assertThat(client.get(APPLICATIONS + "/a/why").text())
                    .contains("\"summary\":\"1 task waits: pod p: ErrImagePull\"", "\"names\":[\"t\"]")
                    .doesNotContain("another run");
        }
    }

    @Test
    void log_ofContainer_isFetched_andHasMoreUntilItIsCopied() throws Exception {
        Containers containers = new Containers();
        try (TestDaemon daemon = TestDaemon.withProvider(DaemonSettings.in(folder), containers)) {
            TestHttpClient client = daemon.client();
            client.post(APPLICATIONS, "{\"id\": \"a\", " + TASKS + "}");
            String log = APPLICATIONS + "/a/tasks/t/log";
            await().until(() -> client.get(log).status() == 200);
            assertThat(client.get(log).text()).contains("\"complete\":false", "run 1");
            client.post("/partitions/default/reports", """
                    {"reports": [{"application": "a", "task": "t", "attempt": 1, "status": "succeeded"}]}""");
            assertThat(client.get(log).text()).as("the rest may follow").contains("\"complete\":false");
            containers.copying = false;
            assertThat(client.get(log).text()).contains("\"complete\":true", "run 1");
        }
    }
}
