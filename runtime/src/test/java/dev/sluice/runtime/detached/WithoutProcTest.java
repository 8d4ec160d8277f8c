package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.process.ProcessTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same on a system that reports start times only through {@code ps}. */
@Timeout(120)
final class WithoutProcTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);

    @TempDir
    Path folder;

    @Test
    void run_stillRunning_isFoundAndStopped() {
        try (DetachedRunnerFixture fixture = fixture()) {
            fixture.startShell(RUN, "echo $$ >>pids; sleep 1000; true");
            List<Long> pids = fixture.pids("pids", 1);
            assertThat(fixture.runFolder(RUN).claim()).isInstanceOf(RunClaim.Claimed.class);
            assertThat(((RunClaim.Claimed) fixture.runFolder(RUN).claim())
                            .identity()
                            .start())
                    .contains(":");
            fixture.restart(RUN);
            fixture.awaitStarted(RUN);
            fixture.runner.stop(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
            DetachedRunnerFixture.awaitGone(pids);
        }
    }

    @Test
    void run_ended_isReportedAgain() {
        try (DetachedRunnerFixture fixture = fixture()) {
            assertThat(fixture.runShell(RUN, "exit 3")).isEqualTo("exit code 3");
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 3");
        }
    }

    @Test
    void shellOfRun_killedMeanwhile_runIsLostAfterLastProcess() {
        try (DetachedRunnerFixture fixture = fixture()) {
            fixture.startShell(RUN, "echo $PPID >>pids; echo $$ >>pids; sleep 1000; true");
            List<Long> pids = fixture.pids("pids", 2);
            fixture.runner.close();
            assertThat(ProcessHandle.of(pids.get(0)).orElseThrow().destroyForcibly())
                    .isTrue();
            DetachedRunnerFixture.awaitGone(pids.subList(0, 1));
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).startsWith("lost: process " + pids.get(0));
            assertThat(pids).noneMatch(DetachedRunnerFixture::runs);
        }
    }

    private DetachedRunnerFixture fixture() {
        DetachedRunnerFixture fixture = new DetachedRunnerFixture(
                folder, DetachedRunnerFixture.LONG_GRACE, new ProcessClock.Ps("ps"), ProcessTable.ofPs());
        fixture.runner.recover(Map.of());
        return fixture;
    }
}
