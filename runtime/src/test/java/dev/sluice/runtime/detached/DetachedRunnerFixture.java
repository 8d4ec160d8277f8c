package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.LogFiles;
import dev.sluice.runtime.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A folder with runs, its current runner, and the calls received by the listener. */
final class DetachedRunnerFixture implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Long enough that no process in these tests is killed unless it ignores SIGTERM. */
    static final Duration LONG_GRACE = Duration.ofSeconds(60);

    static final Duration SHORT_GRACE = Duration.ofMillis(300);

    final Path folder;
    private final Duration grace;
    private final Confinement confinement;
    private final @Nullable ProcessClock clock;
    private final ProcessTable table;
    DetachedRunner runner;

    /** The calls since the last restart: {@code started}, the message of an exit, or {@code lost: } and the reason. */
    private Map<RunKey, List<String>> calls = new ConcurrentHashMap<>();

    DetachedRunnerFixture(Path folder, Duration grace) {
        this(folder, grace, null, ProcessTable.ofThisSystem());
    }

    DetachedRunnerFixture(Path folder, Duration grace, @Nullable ProcessClock clock, ProcessTable table) {
        this(folder, grace, clock, table, Confinement.NONE);
    }

    DetachedRunnerFixture(
            Path folder, Duration grace, @Nullable ProcessClock clock, ProcessTable table, Confinement confinement) {
        this.confinement = confinement;
        this.folder = folder;
        this.grace = grace;
        this.clock = clock;
        this.table = table;
        this.runner = open();
    }

    static DetachedRunnerFixture fresh(Path folder, Duration grace) {
        DetachedRunnerFixture fixture = new DetachedRunnerFixture(folder, grace);
        fixture.runner.recover(Map.of());
        return fixture;
    }

    static RunnerPaths paths(Path folder) {
        return new RunnerPaths(
                folder.resolve("runs"),
                folder.resolve("runs-scratch"),
                null,
                folder.resolve("runs").toString());
    }

    private DetachedRunner open() {
        Map<RunKey, List<String>> mine = new ConcurrentHashMap<>();
        calls = mine;
        return new DetachedRunner(
                paths(folder), new Recorder(mine), grace, clock, table, TaskLauncher.find(), confinement);
    }

    /** Returns runs that request nothing. */
    static Map<RunKey, RunRequest> requests(RunKey... keys) {
        Map<RunKey, RunRequest> requests = new LinkedHashMap<>();
        for (RunKey key : keys) {
            requests.put(key, RunRequest.NONE);
        }
        return requests;
    }

    /** Closes the runner and creates another one that recovers these runs. */
    void restart(RunKey... expected) {
        restart(requests(expected));
    }

    /** Same as {@link #restart(RunKey...)}, with their requests. */
    void restart(Map<RunKey, RunRequest> expected) {
        runner.close();
        runner = open();
        runner.recover(expected);
    }

    private record Recorder(Map<RunKey, List<String>> calls) implements DetachedRunListener {

        @Override
        public void started(RunKey key, long pid) {
            add(key, "started");
        }

        @Override
        public void ended(RunKey key, RunExit exit) {
            add(key, exit.message());
        }

        @Override
        public void lost(RunKey key, String reason) {
            add(key, "lost: " + reason);
        }

        @Override
        public void notStarted(RunKey key, String reason) {
            add(key, "not started: " + reason);
        }

        private void add(RunKey key, String report) {
            calls.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>()).add(report);
        }
    }

    static RunKey key(long sequence) {
        return new RunKey(new RunRef(new TaskRef("default", "etl", "t", (int) sequence), 1), sequence);
    }

    Path runs() {
        return folder.resolve("runs");
    }

    RunFolder runFolder(RunKey key) {
        return new RunFolder(runs().resolve(key.folderName()));
    }

    void start(RunKey key, LocalCommand command) {
        runner.start(key, command, logFile(key), null, RunRequest.NONE);
    }

    void startShell(RunKey key, String script) {
        start(key, LocalCommand.shell(script).withDirectory(folder));
    }

    /** Runs a command to its end and returns the last report. */
    String run(RunKey key, LocalCommand command) {
        start(key, command);
        return lastOf(key);
    }

    String runShell(RunKey key, String script) {
        startShell(key, script);
        return lastOf(key);
    }

    Path logFile(RunKey key) {
        return folder.resolve("logs").resolve(LogFiles.nameFor(key.run().task().id()) + ".log");
    }

    String log(RunKey key) {
        return read(logFile(key));
    }

    List<String> calls(RunKey key) {
        return List.copyOf(calls.getOrDefault(key, List.of()));
    }

    /** Waits for the last report of a run and checks that there is only one. */
    String lastOf(RunKey key) {
        eventually(() -> calls(key).stream().anyMatch(report -> !report.equals("started")));
        List<String> last = new ArrayList<>(calls(key));
        last.removeIf("started"::equals);
        assertThat(last).hasSize(1);
        return last.get(0);
    }

    void awaitStarted(RunKey key) {
        eventually(() -> calls(key).contains("started"));
    }

    /** Waits until a task has written this many process ids, one per line, to a file in the folder. */
    List<Long> pids(String file, int count) {
        Path path = folder.resolve(file);
        eventually(() -> read(path).lines().count() >= count);
        return read(path).lines().map(Long::valueOf).toList();
    }

    static void eventually(Callable<Boolean> condition) {
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(2)).until(condition);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException notYet) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean runs(long pid) {
        return ProcessTable.ofThisSystem().read().stream().anyMatch(row -> row.pid() == pid);
    }

    static void awaitGone(List<Long> pids) {
        eventually(() -> pids.stream().noneMatch(DetachedRunnerFixture::runs));
    }

    /** Stops everything before the next test. */
    @Override
    public void close() {
        try {
            runner.stopAll();
        } catch (IllegalStateException closedOrNeverUsed) {
            // Nothing to stop.
        }
        runner.close();
    }
}
