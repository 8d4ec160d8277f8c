package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.process.CommandSearch;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import dev.sluice.runtime.process.SessionLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stopping tasks with all their descendants. */
@Tag("slow")
@Timeout(120)
final class AttachedStopTest {

    /** Long enough that no process in these tests is killed unless it ignores SIGTERM. */
    private static final Duration LONG_GRACE = Duration.ofSeconds(60);

    private static final Duration SHORT_GRACE = Duration.ofMillis(300);

    @TempDir
    Path folder;

    /** Every installed helper with the table of this system, and the table of other systems. */
    static Stream<RunnerKind> kinds() {
        List<SessionLauncher> launchers = SessionLauncher.all().stream()
                .filter(launcher -> CommandSearch.find(launcher.helper().get(0), System.getenv("PATH"), null) != null)
                .toList();
        return Stream.concat(
                launchers.stream()
                        .map(launcher ->
                                new RunnerKind(launcher.helper().get(0), launcher, ProcessTable.ofThisSystem())),
                Stream.of(new RunnerKind("ps", SessionLauncher.find(), ProcessTable.ofPs())));
    }

    record RunnerKind(String name, SessionLauncher launcher, ProcessTable table) {
        AttachedRunnerFixture fixture(Path folder, Duration grace) {
            return new AttachedRunnerFixture(folder, grace, launcher, table);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void stop_taskWithGrandchildren_endsAll(RunnerKind kind) {
        try (AttachedRunnerFixture fixture = kind.fixture(folder, LONG_GRACE)) {
            AttachedRunnerFixture.Started process =
                    fixture.startShell("t", "(sleep 1000 & echo $! >>pids; wait) & sleep 1000 & echo $! >>pids; wait");
            List<Long> pids = fixture.pids("pids", 2);
            process.stop();
            assertThat(fixture.exitOf("t").message()).isEqualTo("exit code 143 (SIGTERM)");
            AttachedRunnerFixture.awaitGone(pids);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void stop_taskIgnoringSigterm_isKilledAfterGracePeriod(RunnerKind kind) {
        try (AttachedRunnerFixture fixture = kind.fixture(folder, SHORT_GRACE)) {
            AttachedRunnerFixture.Started process =
                    fixture.startShell("t", "trap '' TERM; echo $$ >pids; while :; do sleep 1; done");
            fixture.pids("pids", 1);
            long start = System.nanoTime();
            process.stop();
            assertThat(fixture.exitOf("t").message()).isEqualTo("exit code 137 (SIGKILL)");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SHORT_GRACE);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void command_missingInterpreter_fails127WithMessage(RunnerKind kind) throws Exception {
        Path script = folder.resolve("mine");
        Files.writeString(script, "#!/no/such/interpreter\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (AttachedRunnerFixture fixture = kind.fixture(folder, LONG_GRACE)) {
            assertThat(fixture.run("t", LocalCommand.of(script.toString())).code())
                    .isEqualTo(127);
            assertThat(fixture.log("t")).contains("mine").contains("No such file");
        }
    }

    @Test
    void stop_taskCleaningUp_isNotKilled() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            AttachedRunnerFixture.Started process = fixture.startShell(
                    "t", "trap 'echo bye; exit 7' TERM; echo $$ >pids; while :; do sleep 0.01; done");
            fixture.pids("pids", 1);
            process.stop();
            assertThat(fixture.exitOf("t").code()).isEqualTo(7);
            assertThat(fixture.log("t")).contains("bye").containsOnlyOnce("bye");
        }
    }

    @Test
    void stop_otherGroupsOfSession_areEnded() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            AttachedRunnerFixture.Started process =
                    fixture.startShell("t", "timeout 1000 sh -c 'echo $$ >>pids; exec sleep 1000' & wait");
            List<Long> pids = fixture.pids("pids", 1);
            // timeout(1) creates its own group.
            assertThat(ProcessTable.ofThisSystem().read())
                    .anyMatch(row -> row.pid() == pids.get(0) && row.group() != process.pid());
            process.stop();
            fixture.exitOf("t");
            AttachedRunnerFixture.awaitGone(pids);
        }
    }

    @Test
    void stop_suspendedTask_endsTask() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            AttachedRunnerFixture.Started process = fixture.startShell("t", "echo $$ >pids; kill -STOP $$; sleep 1000");
            fixture.pids("pids", 1);
            process.stop();
            assertThat(fixture.exitOf("t").code()).isEqualTo(RunExit.TERMINATED);
        }
    }

    @Test
    void stop_immediatelyAfterStart_endsTask() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            for (int i = 0; i < 50; i++) {
                fixture.startShell("t-" + i, "sleep 1000").stop();
                assertThat(fixture.exitOf("t-" + i).code()).isEqualTo(RunExit.TERMINATED);
            }
        }
    }

    @Test
    void stop_endedTask_doesNothing() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            AttachedRunnerFixture.Started ended = fixture.startShell("t", "exit 5");
            fixture.exitOf("t");
            ended.stop();
            AttachedRunnerFixture.Started notStarted = fixture.start("u", LocalCommand.of("no-such-command-anywhere"));
            fixture.exitOf("u");
            notStarted.stop();
            assertThat(fixture.exitOf("t").code()).isEqualTo(5);
            assertThat(fixture.exitOf("u").code()).isEqualTo(127);
        }
    }

    @Test
    void leaderExit_remainingProcesses_areEnded() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            RunExit exit = fixture.runShell("t", "sleep 1000 & echo $! >>pids; exit 0");
            List<Long> pids = fixture.pids("pids", 1);
            assertThat(exit.isSuccess()).isTrue();
            AttachedRunnerFixture.awaitGone(pids);
        }
    }

    @Test
    void leaderExit_remainingProcessesIgnoringSigterm_areKilled() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, SHORT_GRACE)) {
            fixture.runShell("t", "(trap '' TERM; sh -c 'echo $$ >>pids; exec sleep 1000') & exit 0");
            AttachedRunnerFixture.awaitGone(fixture.pids("pids", 1));
        }
    }

    @Test
    void stopAll_manyTasks_endsAndReportsAll() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            int count = 100;
            IntStream.range(0, count)
                    .forEach(i -> fixture.startShell("t-" + i, "sleep 1000 & echo $! >>pids; sleep 1000"));
            List<Long> pids = fixture.pids("pids", count);
            assertThat(fixture.runner.unfinishedCount()).isEqualTo(count);
            assertThat(fixture.runner.stopAll()).isTrue();
            assertThat(fixture.exits).hasSize(count);
            assertThat(fixture.exits.values())
                    .allSatisfy(exits -> assertThat(exits).containsExactly(RunExit.ended(RunExit.TERMINATED)));
            assertThat(pids).noneMatch(AttachedRunnerFixture::runs);
        }
    }

    @Test
    void stopAll_tasksIgnoringSigterm_areKilled() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, SHORT_GRACE)) {
            fixture.startShell("t", "trap '' TERM; sleep 1000 & echo $! >>pids; wait; sleep 1000");
            List<Long> pids = fixture.pids("pids", 1);
            assertThat(fixture.runner.stopAll()).isTrue();
            assertThat(fixture.exitOf("t").code()).isEqualTo(RunExit.KILLED);
            assertThat(pids).noneMatch(AttachedRunnerFixture::runs);
        }
    }

    @Test
    void stopAll_processInOwnSession_isEnded() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            fixture.runShell("t", "setsid sh -c 'echo $$ >>pids; exec sleep 1000' & exit 0");
            List<Long> pids = fixture.pids("pids", 1);
            assertThat(fixture.runner.stopAll()).isTrue();
            assertThat(pids).noneMatch(AttachedRunnerFixture::runs);
        }
    }

    @Test
    void stopAll_concurrentStarts_leavesNoProcess() throws Exception {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            Thread starter = new Thread(() -> {
                for (int i = 0; i < 200; i++) {
                    fixture.startShell("t-" + i, "echo $$ >>pids; exec sleep 1000");
                }
            });
            starter.start();
            fixture.pids("pids", 10);
            assertThat(fixture.runner.stopAll()).isTrue();
            starter.join();
            await().until(() -> fixture.exits.size() == 200);
            // Starts happen in the background: some were prevented, others terminated.
            assertThat(fixture.exits.values())
                    .allSatisfy(exits -> assertThat(exits)
                            .hasSize(1)
                            .allSatisfy(exit -> assertThat(exit.code()).isEqualTo(RunExit.TERMINATED)));
            AttachedRunnerFixture.awaitGone(fixture.pids("pids", 10));
        }
    }

    @Test
    void warden_killed_isReplaced() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            AttachedRunnerFixture.Started process = fixture.startShell("t", "sleep 1000 & echo $! >>pids; wait");
            List<Long> pids = fixture.pids("pids", 1);
            ProcessHandle warden = ProcessHandle.current()
                    .children()
                    .filter(child -> child.info().arguments().stream()
                            .flatMap(Stream::of)
                            .anyMatch("sluice-warden"::equals))
                    .findFirst()
                    .orElseThrow();
            warden.destroyForcibly();
            warden.onExit().join();
            process.stop();
            fixture.exitOf("t");
            AttachedRunnerFixture.awaitGone(pids);
        }
    }

    @Test
    void listener_simultaneousStopAndEnd_isCalledOnce() {
        try (AttachedRunnerFixture fixture = new AttachedRunnerFixture(folder, LONG_GRACE)) {
            int count = 300;
            for (int i = 0; i < count; i++) {
                AttachedRunnerFixture.Started process = fixture.start("t-" + i, LocalCommand.of("true"));
                for (int pause = 0; pause < i * 200 && process.isAlive(); pause++) {
                    Thread.onSpinWait();
                }
                process.stop();
                process.stop();
            }
            assertThat(fixture.runner.stopAll()).isTrue();
            assertThat(fixture.exits).hasSize(count);
            assertThat(fixture.exits.values())
                    .allSatisfy(exits -> assertThat(exits)
                            .hasSize(1)
                            .allSatisfy(exit ->
                                    assertThat(List.of(0, RunExit.TERMINATED)).contains(exit.code())));
        }
    }
}
