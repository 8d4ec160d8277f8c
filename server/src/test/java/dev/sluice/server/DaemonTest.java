package dev.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.Journal;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.Replay;
import dev.sluice.runtime.journal.ReplayListener;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.runtime.testing.MemoryStore.Fault;
import dev.sluice.runtime.testing.MemoryStore.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests while the server is overloaded, cannot write, shuts down or restarts. */
@Timeout(120)
final class DaemonTest {

    private static final String APPLICATIONS = "/partitions/default/applications";
    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final String NODE = "here";
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    private Path folder;

    private static String application(String id) {
        return "{\"id\": \"" + id + "\", \"queue\": \"root.default\"}";
    }

    private static Reply submit(TestDaemon daemon, String id, String key) {
        return daemon.client().send("POST", APPLICATIONS, application(id), TestHttpClient.JSON, "Idempotency-Key", key);
    }

    @Test
    void request_retriedAfterRestart_getsSameAnswer() throws Exception {
        Reply first;
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(folder))) {
            first = submit(daemon, "once", "key-1");
            assertThat(first.status()).isEqualTo(201);
            Reply again = submit(daemon, "once", "key-1");
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(again.status()).isEqualTo(201);
            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(submit(daemon, "other", "key-1").problem()).isEqualTo("key-reused");
        }
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(folder))) {
            Reply again = submit(daemon, "once", "key-1");
            assertThat(again.text()).isEqualTo(first.text());
            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(submit(daemon, "other", "key-1").problem()).isEqualTo("key-reused");
            assertThat(submit(daemon, "once", "key-2").problem()).isEqualTo("duplicate");
            assertThat(daemon.client().get(APPLICATIONS).json().get("items")).hasSize(1);
        }
    }

    /** A task sees its scratch folder and the application's folder, and nothing of the server. */
    @Test
    void task_environment_hasNothingOfServer() throws Exception {
        Path data = folder.resolve("data");
        Path work = folder.resolve("data-work");
        DaemonSettings settings =
                TestDaemon.settings(data).withFiles(DaemonSettings.TaskFiles.withSiblingFolders(data));
        try (TestDaemon daemon = TestDaemon.start(settings)) {
            String script = "env; pwd; ls -A; echo from one >$SLUICE_RUN_DIRECTORY/file; : >mine";
            submitTasks(
                    daemon,
                    "a",
                    "{\"id\": \"one\", \"command\": \"" + script + "\"},"
                            + "{\"id\": \"two\", \"after\": {\"one\": \"succeeded\"}, \"command\": \"cat"
                            + " $SLUICE_RUN_DIRECTORY/file\"}");
            daemon.client().awaitState("a", "Completed");
            String one = log(daemon, "one");
            assertThat(one)
                    .doesNotContain(data + "/")
                    .contains("SLUICE_SCRATCH=" + work)
                    .contains("\n" + work);
            assertThat(one.lines().filter(line -> line.contains("=")).map(line -> line.substring(0, line.indexOf('='))))
                    .filteredOn(name -> !name.startsWith("SLUICE_") && !name.startsWith("LC_"))
                    .isSubsetOf("PATH", "HOME", "USER", "LANG", "PWD", "OLDPWD", "SHLVL", "_");
            assertThat(log(daemon, "two")).isEqualTo("from one\n");
            await().atMost(Duration.ofSeconds(30)).until(() -> filesBelow(work).isEmpty());
        }
    }

    private static void submitTasks(TestDaemon daemon, String id, String tasks) {
        String body =
                "{\"id\": \"" + id + "\", \"sealed\": true, \"queue\": \"root.default\", \"tasks\": [" + tasks + "]}";
        assertThat(daemon.client().post(APPLICATIONS, body).status()).isEqualTo(201);
    }

    private static String log(TestDaemon daemon, String task) {
        return daemon.client().get(APPLICATIONS + "/a/tasks/" + task + "/log").at("/text");
    }

    private static List<Path> filesBelow(Path work) throws IOException {
        try (Stream<Path> paths = Files.walk(work)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void server_otherDataFolder_isRefused() throws Exception {
        Path data = folder.resolve("data");
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(data))) {
            submitTasks(daemon, "a", "{\"id\": \"t\", \"command\": \"true\"}");
            daemon.client().awaitState("a", "Completed");
        }
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.copy(data.resolve("sluice.db"), other.resolve("sluice.db"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));

        assertThatThrownBy(() -> TestDaemon.start(TestDaemon.settings(other))).hasMessageContaining("--adopt");
        DaemonSettings settings = TestDaemon.settings(other);
        DaemonSettings.TaskFiles files = settings.files();
        DaemonSettings adopting = settings.withFiles(new DaemonSettings.TaskFiles(files.work(), files.logMax(), true));
        try (TestDaemon daemon = TestDaemon.start(adopting)) {
            assertThat(daemon.client().get(APPLICATIONS + "/a").at("/state")).isEqualTo("Completed");
        }
        TestDaemon.start(settings.withNode(null)).close();
    }

    @Test
    void workFolder_insideDataFolder_isRefused() {
        DaemonSettings settings = TestDaemon.settings(folder);
        DaemonSettings inside = settings.withFiles(new DaemonSettings.TaskFiles(
                folder.resolve("work"), settings.files().logMax(), false));

        assertThatThrownBy(() -> TestDaemon.start(inside)).hasMessageContaining("--work");
    }

    @Test
    void requestWithoutChange_retriedAfterRestart_getsSameAnswer() throws Exception {
        DaemonSettings settings = DaemonSettings.in(folder);
        Reply first;
        try (TestDaemon daemon = TestDaemon.start(settings)) {
            assertThat(daemon.client().post(APPLICATIONS, application("a")).status())
                    .isEqualTo(201);
            first = submitFile(daemon);
            assertThat(first.text()).contains("duplicate");
        }
        try (TestDaemon daemon = TestDaemon.start(settings)) {
            Reply again = submitFile(daemon);
            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(again.text()).isEqualTo(first.text());
        }
    }

    private static Reply submitFile(TestDaemon daemon) {
        String file = "applications: [{id: a, queue: root.default}]";
        return daemon.client().send("POST", "/submissions", file, TestHttpClient.YAML, "Idempotency-Key", "key-1");
    }

    @Test
    void acknowledgedWork_afterRestart_exists() throws Exception {
        String events;
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(folder))) {
            daemon.client().send("PUT", "/configuration", RoutesFixture.QUEUES, TestHttpClient.YAML);
            for (int i = 0; i < 20; i++) {
                String body = "{\"id\": \"a" + i + "\", \"queue\": \"root.sandbox\"}";
                assertThat(daemon.client().post(APPLICATIONS, body).status()).isEqualTo(201);
            }
            events = daemon.client().get("/events?limit=10").text();
        }
        try (TestDaemon daemon = TestDaemon.start(TestDaemon.settings(folder))) {
            assertThat(daemon.client().get(APPLICATIONS).json().get("items")).hasSize(20);
            assertThat(daemon.client().get("/events?limit=10").text()).isEqualTo(events);
            assertThat(daemon.client().get("/configuration").at("/revision")).isEqualTo("2");
        }
    }

    @Test
    void localNode_newCapacityAfterRestart_isUpdated() throws Exception {
        DaemonSettings settings = TestDaemon.settings(folder);
        try (TestDaemon daemon = TestDaemon.start(settings)) {
            assertThat(daemon.client().get("/partitions/default/nodes/here").at("/capacity/slots"))
                    .isEqualTo("4");
        }
        DaemonSettings.LocalNode node = Objects.requireNonNull(settings.node());
        DaemonSettings larger = settings.withNode(new DaemonSettings.LocalNode(
                node.partition(), node.name(), Resources.of("slots", 7), node.labels(), node.confinement()));
        try (TestDaemon daemon = TestDaemon.start(larger)) {
            Reply found = daemon.client().get("/partitions/default/nodes/here");
            assertThat(found.at("/capacity/slots")).isEqualTo("7");
            assertThat(found.json().at("/capacity").has("vcore")).isFalse();
        }
    }

    /** Returns the state of the local node according to the journal. */
    private static NodeState ownNode(MemoryStore store) throws StoreException {
        SchedulerState state =
                Replay.of(store.reopen(), ReplayListener.NONE).scheduler().state();
        return Objects.requireNonNull(
                        Objects.requireNonNull(state.partition(PARTITION)).node(NODE))
                .state();
    }

    @ParameterizedTest
    @CsvSource({"STOP, SUSPENDED", "KEEP_RUNNING, READY"})
    void localNode_onShutdownWithStop_isSuspended(DaemonSettings.ShutdownPolicy shutdownPolicy, NodeState then)
            throws Exception {
        MemoryStore store = new MemoryStore();
        TestDaemon.on(store, TestDaemon.settings(folder, shutdownPolicy), InstantSource.fixed(NOW))
                .close();

        assertThat(ownNode(store)).isEqualTo(then);
    }

    private static Stream<Arguments> nodeStates() {
        Command suspend = new Command.SuspendNode(PARTITION, NODE);
        Command offline = new Command.TakeNodeOffline(PARTITION, NODE);
        return Stream.of(
                Arguments.of(List.of(suspend), NodeState.READY),
                Arguments.of(List.of(new Command.ReportNodeLost(PARTITION, NODE)), NodeState.READY),
                Arguments.of(List.of(new Command.ReportNodeFlaky(PARTITION, NODE)), NodeState.FLAKY),
                Arguments.of(List.of(offline), NodeState.OFFLINE),
                Arguments.of(List.of(suspend, offline), NodeState.OFFLINE));
    }

    /** A restarted server reports the node as ready, but does not override operators or flakiness. */
    @ParameterizedTest
    @MethodSource("nodeStates")
    void localNode_afterRestart_isReadyUnlessOfflineOrFlaky(List<Command> before, NodeState then) throws Exception {
        DaemonSettings settings = TestDaemon.settings(folder);
        DaemonSettings.LocalNode own = Objects.requireNonNull(settings.node());
        List<Command> commands = new ArrayList<>();
        commands.add(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        commands.add(new Command.RegisterNode(PARTITION, NODE, own.capacity(), own.labels()));
        commands.addAll(before);
        List<JournalEntry> entries = new ArrayList<>();
        Scheduler scheduler = new Scheduler();
        for (Command command : commands) {
            entries.add(new JournalEntry(
                    Cause.internal("test"), scheduler.handle(command, NOW).events()));
        }
        MemoryStore store = new MemoryStore();
        new Journal(store).append(entries, List.of(), NOW);
        assertThat(ownNode(store)).isNotEqualTo(NodeState.READY);

        TestDaemon.on(store.reopen(), settings, InstantSource.fixed(NOW)).close();

        assertThat(ownNode(store)).isEqualTo(then);
    }

    @Test
    void inbox_full_refusesWithRetryAfter() throws Exception {
        PausedClock clock = new PausedClock();
        DaemonSettings settings =
                DaemonSettings.in(folder).withLimits(new HostLimits(1, 1, 100, Duration.ofMillis(100)));
        try (TestDaemon daemon = TestDaemon.on(new MemoryStore(), settings, clock)) {
            daemon.client().contract();
            clock.pause();
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                replies.add(CompletableFuture.supplyAsync(() -> daemon.client().get("/partitions")));
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> replies.stream().anyMatch(CompletableFuture::isDone));
            clock.resume();
            List<Integer> statuses = new ArrayList<>();
            for (CompletableFuture<Reply> reply : replies) {
                statuses.add(reply.get().status());
                if (reply.get().status() == 429) {
                    assertThat(reply.get().problem()).isEqualTo("busy");
                    assertThat(reply.get().header("Retry-After")).isEqualTo("1");
                }
            }
            assertThat(statuses).contains(200, 429);
        }
    }

    @Test
    void shutdown_acceptedRequests_areAnswered() throws Exception {
        PausedClock clock = new PausedClock();
        DaemonSettings settings =
                DaemonSettings.in(folder).withLimits(new HostLimits(100, 1, 100, Duration.ofMillis(100)));
        MemoryStore store = new MemoryStore();
        TestDaemon daemon = TestDaemon.on(store, settings, clock);
        daemon.client().contract();
        clock.pause();
        CompletableFuture<Reply> before =
                CompletableFuture.supplyAsync(() -> daemon.client().post(APPLICATIONS, application("before")));
        await().atMost(Duration.ofSeconds(20)).until(() -> daemon.inFlightRequests() == 1);
        Thread ender = new Thread(daemon::close, "ender");
        ender.start();
        await().until(() -> ender.getState() == Thread.State.WAITING);
        CompletableFuture<Reply> after =
                CompletableFuture.supplyAsync(() -> daemon.client().post(APPLICATIONS, application("after")));
        await().atMost(Duration.ofSeconds(20)).until(() -> daemon.inFlightRequests() == 2);
        clock.resume();

        assertThat(before.get().status()).isEqualTo(201);
        assertThat(after.get().problem()).isEqualTo("unavailable");
        assertThat(after.get().header("Retry-After")).isEqualTo("5");
        ender.join();
        try (TestDaemon next = TestDaemon.on(store.reopen(), settings, new PausedClock())) {
            assertThat(next.client().get(APPLICATIONS + "/before").status()).isEqualTo(200);
            assertThat(next.client().get(APPLICATIONS + "/after").status()).isEqualTo(404);
        }
    }

    @Test
    void journal_unwritable_isRetriedUntilWritable() throws Exception {
        MemoryStore store = new MemoryStore();
        try (TestDaemon daemon = TestDaemon.on(store, DaemonSettings.in(folder), new PausedClock())) {
            TestHttpClient client = daemon.client();
            assertThat(client.get("/ready").status()).isEqualTo(200);
            store.fail(Operation.APPEND, Fault.FULL);
            CompletableFuture<Reply> waiting =
                    CompletableFuture.supplyAsync(() -> client.post(APPLICATIONS, application("patient")));
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> client.get("/health").at("/status").equals("stalled"));
            Reply health = client.get("/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.at("/detail")).contains("injected failure of APPEND");
            assertThat(health.at("/parts/journal")).contains("nothing is acknowledged");
            assertThat(client.get("/ready").status()).isEqualTo(503);
            Reply refused = client.post(APPLICATIONS, application("late"));
            assertThat(refused.problem()).isEqualTo("unavailable");
            assertThat(refused.header("Retry-After")).isEqualTo("5");
            assertThat(client.get("//metrics").text()).contains("sluice_journal_stalled 1.0");
            assertThat(waiting).isNotDone();

            store.heal();

            assertThat(waiting.get().status()).isEqualTo(201);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> client.get("/ready").status() == 200);
            assertThat(client.get("/health").at("/status")).isEqualTo("up");
            assertThat(client.get(APPLICATIONS + "/patient").status()).isEqualTo(200);
            assertThat(client.get(APPLICATIONS + "/late").status()).isEqualTo(404);
            assertThat(client.get("//metrics").text())
                    .contains("sluice_journal_stalled 0.0")
                    .contains("sluice_journal_stalls_total 1.0");
        }
    }

    @Test
    void journal_takenOver_stopsServer() throws Exception {
        MemoryStore store = new MemoryStore();
        try (TestDaemon daemon = TestDaemon.on(store, DaemonSettings.in(folder), new PausedClock())) {
            store.fail(Operation.APPEND, Fault.IN_USE);
            Reply reply = daemon.client().post(APPLICATIONS, application("lost"));
            assertThat(reply.problem()).isEqualTo("unavailable");
            await().atMost(Duration.ofSeconds(20)).until(() -> daemon.failure().isDone());
            Reply health = daemon.client().get("/health");
            assertThat(health.status()).isEqualTo(503);
            assertThat(health.at("/status")).isEqualTo("down");
            assertThat(daemon.client().get("/ready").status()).isEqualTo(503);
        }
    }
}
