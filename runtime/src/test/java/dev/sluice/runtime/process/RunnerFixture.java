package dev.sluice.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.runtime.executor.RunExit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A runner with real processes, the calls of its listener, and a folder for logs and for files written by tasks. */
final class RunnerFixture implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    final ProcessRunner<String> runner;
    final Map<String, List<RunExit>> exits = new ConcurrentHashMap<>();
    private final Path folder;

    RunnerFixture(Path folder, Duration grace) {
        this(folder, grace, SessionLauncher.find(), ProcessTable.ofThisSystem());
    }

    RunnerFixture(Path folder, Duration grace, SessionLauncher launcher, ProcessTable table) {
        this.folder = folder;
        this.runner = new ProcessRunner<>(this::record, grace, launcher, table);
    }

    private void record(String task, RunExit exit) {
        exits.computeIfAbsent(task, t -> new CopyOnWriteArrayList<>()).add(exit);
    }

    TaskProcess start(String task, LocalCommand command) {
        return runner.start(task, command, logFile(task));
    }

    TaskProcess startShell(String task, String script) {
        return start(task, LocalCommand.shell(script).withDirectory(folder));
    }

    RunExit run(String task, LocalCommand command) {
        start(task, command);
        return exitOf(task);
    }

    RunExit runShell(String task, String script) {
        startShell(task, script);
        return exitOf(task);
    }

    /** Waits for the end of a task that has not been reported before. */
    RunExit exitOf(String task) {
        awaitExits(task, 1);
        assertThat(exits.get(task)).hasSize(1);
        return exits.get(task).get(0);
    }

    void awaitExits(String task, int count) {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> exits.getOrDefault(task, List.of()).size() >= count);
    }

    Path logFile(String task) {
        return folder.resolve("logs").resolve(LogFiles.nameFor(task) + ".log");
    }

    String log(String task) {
        return read(logFile(task));
    }

    /** Waits until a task has written this many process ids, one per line, to a file in the folder. */
    List<Long> pids(String file, int count) {
        Path path = folder.resolve(file);
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> read(path).lines().count() >= count);
        return read(path).lines().map(Long::valueOf).toList();
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

    static void awaitSession(long pid) {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> ProcessTable.ofThisSystem().read().contains(new ProcessTable.Row(pid, pid, pid)));
    }

    static void awaitGone(List<Long> pids) {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> pids.stream().noneMatch(RunnerFixture::runs));
    }

    @Override
    public void close() {
        runner.close();
    }
}
