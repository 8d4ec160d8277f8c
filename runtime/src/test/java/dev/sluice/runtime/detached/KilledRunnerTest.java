package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends a program that runs tasks in all possible ways; the tasks continue, and the next program finds them. */
@Timeout(180)
@Tag("slow")
final class KilledRunnerTest {

    private static final int TASKS = 5;

    @TempDir
    Path folder;

    /** Starts tasks continuously, or five that wait for a file; the arguments are a folder and the mode. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            // File descriptors that a daemon has open: a server socket and a journal.
            var socket = new ServerSocket(0);
            var journal = new RandomAccessFile(folder.resolve("journal").toFile(), "rw");
            DetachedRunner runner = new DetachedRunner(
                    DetachedRunnerFixture.paths(folder), new Silent(), Duration.ofSeconds(5), Confinement.NONE);
            runner.recover(Map.of());
            long count = Long.parseLong(arguments[1]);
            for (long i = 0; i < count; i++) {
                String script = count == TASKS
                        ? "echo $$ >>pids; while [ ! -e go ]; do sleep 0.02; done; echo " + i + " >>done; exit " + i
                        : "echo " + i + " >>ran";
                RunKey key = DetachedRunnerFixture.key(i);
                runner.start(
                        key,
                        LocalCommand.shell(script).withDirectory(folder),
                        folder.resolve(i + ".log"),
                        null,
                        RunRequest.NONE);
                Files.writeString(folder.resolve("asked"), "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
            Thread.currentThread().join();
            socket.close();
            journal.close();
        }
    }

    /** Ignores all calls. */
    record Silent() implements DetachedRunListener {

        @Override
        public void notStarted(RunKey key, String reason) {}

        @Override
        public void started(RunKey key, long pid) {}

        @Override
        public void ended(RunKey key, RunExit exit) {}

        @Override
        public void lost(RunKey key, String reason) {}
    }

    /**
     * Runs a command with default signal handlers: a background test run ignores some signals, and a JVM inherits that.
     */
    private static final String WITH_SIGNALS =
            "all='env --default-signal=HUP,INT,TERM'; $all true 2>/dev/null || all=; exec $all \"$@\"";

    private Process program(long tasks) throws IOException {
        return new ProcessBuilder(
                        "setsid",
                        "/bin/sh",
                        "-c",
                        WITH_SIGNALS,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        folder.toString(),
                        Long.toString(tasks))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("program.log").toFile())
                .start();
    }

    private static RunKey[] keys(long count) {
        return LongStream.range(0, count).mapToObj(DetachedRunnerFixture::key).toArray(RunKey[]::new);
    }

    private static void signal(String signal, long target) throws Exception {
        Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " -- " + target).start();
        assertThat(kill.waitFor()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "INT", "HUP"})
    void program_signalledWithItsGroup_leavesTasksRunning(String signal) throws Exception {
        Process program = program(TASKS);
        DetachedRunnerFixture.eventually(
                () -> DetachedRunnerFixture.read(folder.resolve("pids")).lines().count() == TASKS);
        List<Long> pids = DetachedRunnerFixture.read(folder.resolve("pids"))
                .lines()
                .map(Long::valueOf)
                .toList();
        signal(signal, -program.pid());
        program.onExit().get();
        assertThat(pids).allMatch(DetachedRunnerFixture::runs);
        try (DetachedRunnerFixture fixture = new DetachedRunnerFixture(folder, DetachedRunnerFixture.LONG_GRACE)) {
            fixture.runner.recover(DetachedRunnerFixture.requests(keys(TASKS)));
            for (RunKey key : keys(TASKS)) {
                fixture.awaitStarted(key);
            }
            Files.createFile(folder.resolve("go"));
            for (RunKey key : keys(TASKS)) {
                assertThat(fixture.lastOf(key)).isEqualTo("exit code " + key.allocation());
            }
        }
        assertThat(DetachedRunnerFixture.read(folder.resolve("done")).lines()).hasSize(TASKS);
    }

    @Test
    void task_ofProgram_inheritsOnlyItsLog() throws Exception {
        Process program = program(TASKS);
        DetachedRunnerFixture.eventually(
                () -> DetachedRunnerFixture.read(folder.resolve("pids")).lines().count() == TASKS);
        long pid = Long.parseLong(DetachedRunnerFixture.read(folder.resolve("pids"))
                .lines()
                .findFirst()
                .orElseThrow());
        long shell = ProcessHandle.of(pid).orElseThrow().parent().orElseThrow().pid();
        assertThat(open(pid)).hasSize(3).element(0).isEqualTo("/dev/null");
        assertThat(open(pid)).element(1).asString().endsWith(".log");
        assertThat(open(pid)).element(2).isEqualTo(open(pid).get(1));
        assertThat(open(shell)).isEqualTo(List.of("/dev/null", open(pid).get(1), "/dev/null"));
        program.destroyForcibly().waitFor();
        try (DetachedRunnerFixture fixture = new DetachedRunnerFixture(folder, DetachedRunnerFixture.LONG_GRACE)) {
            fixture.runner.recover(DetachedRunnerFixture.requests(keys(TASKS)));
        }
    }

    /** Returns the open file descriptors of a process. */
    private static List<String> open(long pid) throws IOException {
        try (var files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.sorted(Comparator.comparing(
                            file -> Integer.valueOf(file.getFileName().toString())))
                    .map(file -> {
                        try {
                            return Files.readSymbolicLink(file).toString();
                        } catch (IOException e) {
                            return e.toString();
                        }
                    })
                    .toList();
        }
    }

    /**
     * Kills the program while it starts tasks: a run that the next program reports lost was never executed and never
     * will be.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 20, 150})
    void program_killedWhileStarting_lostRunsNeverExecute(int before) throws Exception {
        int tasks = 600;
        Process program = program(tasks);
        Path ran = folder.resolve("ran");
        DetachedRunnerFixture.eventually(
                () -> DetachedRunnerFixture.read(ran).lines().count() >= before);
        program.destroyForcibly().waitFor();
        long asked = DetachedRunnerFixture.read(folder.resolve("asked")).length();
        RunKey[] keys = keys(Math.min(tasks, asked + 2));
        try (DetachedRunnerFixture fixture = new DetachedRunnerFixture(folder, DetachedRunnerFixture.LONG_GRACE)) {
            fixture.runner.recover(DetachedRunnerFixture.requests(keys));
            List<Long> ended = new ArrayList<>();
            for (RunKey key : keys) {
                String last = fixture.lastOf(key);
                assertThat(last).isIn("exit code 0", "lost: it had not started");
                if (last.equals("exit code 0")) {
                    ended.add(key.allocation());
                }
            }
            assertThat(DetachedRunnerFixture.read(ran).lines().map(Long::valueOf))
                    .containsExactlyInAnyOrderElementsOf(ended);
            assertThat(ended).hasSizeBetween(before, tasks);
        }
    }
}
