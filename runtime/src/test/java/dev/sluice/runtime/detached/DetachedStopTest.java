package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.process.LocalCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stopping runs without a restart of the program. */
@Timeout(120)
final class DetachedStopTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);

    @TempDir
    Path folder;

    @Test
    void stop_taskWithGrandchildren_endsAll() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            fixture.startShell(
                    RUN,
                    "(sleep 1000 & echo $! >>pids; wait) & timeout 1000 sh -c 'echo $$ >>pids; exec sleep 1000' &"
                            + " wait");
            List<Long> pids = fixture.pids("pids", 2);
            fixture.runner.stop(RUN);
            fixture.runner.stop(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
            DetachedRunnerFixture.awaitGone(pids);
            assertThat(fixture.log(RUN)).isEmpty();
        }
    }

    @Test
    void stop_taskCleaningUp_isSignalledOnce() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            fixture.startShell(RUN, "trap 'echo bye; exit 7' TERM; echo $$ >pids; while :; do sleep 0.01; done");
            fixture.pids("pids", 1);
            fixture.runner.stop(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 7");
            assertThat(fixture.log(RUN)).containsOnlyOnce("bye");
        }
    }

    @Test
    void stop_taskIgnoringSigterm_isKilledAfterGracePeriod() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.SHORT_GRACE)) {
            fixture.startShell(RUN, "trap '' TERM; echo $$ >pids; while :; do sleep 1; done");
            List<Long> pids = fixture.pids("pids", 1);
            long start = System.nanoTime();
            fixture.runner.stop(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 137 (SIGKILL)");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(DetachedRunnerFixture.SHORT_GRACE);
            DetachedRunnerFixture.awaitGone(pids);
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 137 (SIGKILL)");
        }
    }

    @Test
    @Tag("slow")
    void stop_duringStart_neverNeedsGracePeriod() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            for (int i = 0; i < 150; i++) {
                RunKey key = DetachedRunnerFixture.key(i);
                fixture.startShell(key, "exec sleep 1000");
                if (i % 3 > 0) {
                    fixture.awaitStarted(key);
                }
                for (int pause = 0; pause < i * 100 && i % 3 > 1; pause++) {
                    Thread.onSpinWait();
                }
                fixture.runner.stop(key);
                assertThat(fixture.lastOf(key)).isIn("exit code 143 (SIGTERM)", "stopped before it started");
            }
        }
    }

    @Test
    void stop_suspendedTask_endsTask() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            fixture.startShell(RUN, "echo $$ >pids; kill -STOP $$; sleep 1000");
            fixture.pids("pids", 1);
            fixture.runner.stop(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
        }
    }

    @Test
    void command_leavingProcesses_endsThem() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            assertThat(fixture.runShell(RUN, "sleep 1000 & echo $! >>pids; exit 0"))
                    .isEqualTo("exit code 0");
            DetachedRunnerFixture.awaitGone(fixture.pids("pids", 1));
        }
    }

    @Test
    void command_leavingProcessesInOwnSessions_endsThem() {
        assumeTrue(Files.exists(Path.of("/proc/self/environ")), "marks are not readable");
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.SHORT_GRACE)) {
            String left = "setsid sh -c 'echo $$ >>pids; exec sleep 1000' & ";
            String all = "until [ \"$(wc -l <pids)\" -eq 2 ]; do sleep 0.05; done; exit 0";
            assertThat(fixture.runShell(RUN, ": >pids; " + left + "trap '' TERM; " + left + all))
                    .isEqualTo("exit code 0");
            DetachedRunnerFixture.awaitGone(fixture.pids("pids", 2));
        }
    }

    @Test
    void shellOfRun_killed_runIsLostAfterLastProcess() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.SHORT_GRACE)) {
            fixture.startShell(RUN, "trap '' TERM; echo $PPID >>pids; echo $$ >>pids; while :; do sleep 0.1; done");
            List<Long> pids = fixture.pids("pids", 2);
            ProcessHandle.of(pids.get(0)).orElseThrow().destroyForcibly();
            assertThat(fixture.lastOf(RUN))
                    .isEqualTo("lost: process " + pids.get(0) + " ended without recording an exit code");
            assertThat(pids).noneMatch(DetachedRunnerFixture::runs);
        }
    }

    @Test
    void stopAll_manyTasks_endsAndReportsAll() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            int count = 50;
            IntStream.range(0, count)
                    .forEach(i -> fixture.startShell(
                            DetachedRunnerFixture.key(i), "sleep 1000 & echo $! >>pids; sleep 1000"));
            List<Long> pids = fixture.pids("pids", count);
            assertThat(fixture.runner.stopAll()).isTrue();
            assertThat(pids).noneMatch(DetachedRunnerFixture::runs);
            assertThat(IntStream.range(0, count).mapToObj(i -> fixture.lastOf(DetachedRunnerFixture.key(i))))
                    .containsOnly("exit code 143 (SIGTERM)");
            assertThat(fixture.run(DetachedRunnerFixture.key(count), LocalCommand.of("true")))
                    .isEqualTo("not started: all tasks are being stopped");
        }
    }
}
