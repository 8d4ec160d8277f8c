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
import dev.sluice.runtime.process.SessionLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A runner of attached processes, the calls of its listener, and a folder for logs and for files written by tasks. */
final class AttachedRunnerFixture implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(30);

    final DetachedRunner runner;
    final Map<String, List<RunExit>> exits = new ConcurrentHashMap<>();
    private final Path folder;

    private final Map<RunKey, Long> pids = new ConcurrentHashMap<>();
    private final AtomicLong allocations = new AtomicLong();

    /** A run that was started. */
    final class Started {
        private final RunKey key;

        Started(RunKey key) {
            this.key = key;
        }

        void stop() {
            runner.stop(key);
        }

        /** Waits until the process has started, and returns its id. */
        long pid() {
            await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(2)).until(() -> pids.containsKey(key));
            return Objects.requireNonNull(pids.get(key));
        }

        boolean isAlive() {
            Long pid = pids.get(key);
            return pid == null || runs(pid);
        }
    }

    /** Records reports. */
    private final class Recorder implements DetachedRunListener {

        @Override
        public void started(RunKey key, long pid) {
            pids.put(key, pid);
        }

        @Override
        public void ended(RunKey key, RunExit exit) {
            exits.computeIfAbsent(key.run().task().task(), task -> new CopyOnWriteArrayList<>())
                    .add(exit);
        }

        @Override
        public void lost(RunKey key, String reason) {
            throw new AssertionError(key + " lost: " + reason);
        }

        @Override
        public void notStarted(RunKey key, String reason) {
            ended(key, RunExit.notStarted(RunExit.NOT_EXECUTABLE, reason));
        }
    }

    AttachedRunnerFixture(Path folder, Duration grace) {
        this(folder, grace, SessionLauncher.find(), ProcessTable.ofThisSystem());
    }

    AttachedRunnerFixture(Path folder, Duration grace, SessionLauncher launcher, ProcessTable table) {
        this.folder = folder;
        RunnerPaths paths = RunnerPaths.attached(null, folder.getFileName() + "-" + System.nanoTime());
        this.runner = new DetachedRunner(
                paths, new Recorder(), grace, null, table, TaskLauncher.with(launcher), Confinement.NONE);
        this.runner.recover(Map.of());
    }

    Started start(String task, LocalCommand command) {
        return start(task, command, logFile(task));
    }

    Started start(String task, LocalCommand command, Path logFile) {
        RunKey key = new RunKey(
                new RunRef(new TaskRef("default", "a", task, TaskRef.SINGLE), 1), allocations.incrementAndGet());
        runner.start(key, command, logFile, null, RunRequest.NONE);
        return new Started(key);
    }

    Started startShell(String task, String script) {
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
                .until(() -> pids.stream().noneMatch(AttachedRunnerFixture::runs));
    }

    @Override
    public void close() {
        assertThat(runner.stopAll()).isTrue();
        runner.close();
    }
}
