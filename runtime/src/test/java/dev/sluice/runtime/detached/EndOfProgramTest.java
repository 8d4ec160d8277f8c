package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends a program that runs tasks in all possible ways; no process remains. */
@Timeout(120)
@Tag("slow")
final class EndOfProgramTest {

    @TempDir
    Path folder;

    /** Runs three endless tasks and stops them on shutdown; the arguments are a folder and how to end. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            DetachedRunner runner = new DetachedRunner(
                    RunnerPaths.attached(null, folder.getFileName() + "-mark"),
                    new KilledRunnerTest.Silent(),
                    Duration.ofSeconds(2),
                    Confinement.NONE);
            runner.recover(Map.of());
            if (arguments[1].equals("hook")) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    boolean all = runner.stopAll();
                    try {
                        Files.writeString(folder.resolve("stopped"), Boolean.toString(all));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
            }
            String remember = "echo $$ >>pids; exec sleep 1000";
            start(runner, folder, "plain", "sh -c '" + remember + "' & " + remember);
            start(runner, folder, "stubborn", "trap '' TERM; sh -c '" + remember + "' & " + remember);
            start(runner, folder, "escaping", "setsid sh -c '" + remember + "' & " + remember);
            start(runner, folder, "group", "timeout 1000 sh -c '" + remember + "' & " + remember);
            if (arguments[1].equals("halt")) {
                while (lines(folder.resolve("pids")) < 8) {
                    Thread.onSpinWait();
                }
                Runtime.getRuntime().halt(3);
            }
            Thread.currentThread().join();
        }

        private static void start(DetachedRunner runner, Path folder, String task, String script) {
            RunKey key = new RunKey(new RunRef(new TaskRef("default", "a", task, TaskRef.SINGLE), 1), 1);
            runner.start(
                    key,
                    LocalCommand.shell(script).withDirectory(folder),
                    folder.resolve(task + ".log"),
                    null,
                    RunRequest.NONE);
        }

        private static long lines(Path file) throws IOException {
            return file.toFile().exists() ? Files.readString(file).lines().count() : 0;
        }
    }

    /**
     * Runs a command with default signal handlers: a background test run ignores some signals, and a JVM inherits that.
     */
    private static final String WITH_SIGNALS =
            "all='env --default-signal=HUP,INT,TERM'; $all true 2>/dev/null || all=; exec $all \"$@\"";

    private Process program(String way) throws Exception {
        return new ProcessBuilder(
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
                        way)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("program.log").toFile())
                .start();
    }

    private List<Long> pids() {
        try (AttachedRunnerFixture reader = new AttachedRunnerFixture(folder, Duration.ZERO)) {
            return reader.pids("pids", 8);
        }
    }

    @Test
    void program_killed_leavesNothing() throws Exception {
        Process program = program("wait");
        List<Long> pids = pids();
        program.destroyForcibly();
        assertThat(program.waitFor()).isEqualTo(RunExit.KILLED);
        AttachedRunnerFixture.awaitGone(pids);
    }

    @Test
    void program_halted_leavesNothing() throws Exception {
        Process program = program("halt");
        List<Long> pids = pids();
        assertThat(program.waitFor()).isEqualTo(3);
        AttachedRunnerFixture.awaitGone(pids);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void program_interrupted_stopsTasksBeforeExit(String signal) throws Exception {
        Process program = program("hook");
        List<Long> pids = pids();
        Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s " + signal + " " + program.pid()).start();
        assertThat(kill.waitFor()).isZero();
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isGreaterThan(128);
        assertThat(folder.resolve("stopped")).hasContent("true");
        assertThat(pids).noneMatch(AttachedRunnerFixture::runs);
    }
}
