package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes and their GPUs, which need not exist. */
@Timeout(120)
final class GpuRunsTest {

    private static final RunKey FIRST = DetachedRunnerFixture.key(1);
    private static final RunKey SECOND = DetachedRunnerFixture.key(2);
    private static final RunRequest ONE = new RunRequest(1, Long.MAX_VALUE, Long.MAX_VALUE);
    private static final RunRequest BOTH = new RunRequest(2, Long.MAX_VALUE, Long.MAX_VALUE);

    /** Ends and leaves a process, which ends when it is allowed to. */
    private static final String LEAVING =
            "(trap 'while [ ! -e go ]; do sleep 0.01; done; touch gone; exit' TERM; touch up;"
                    + " while :; do sleep 0.01; done) & while [ ! -e up ]; do sleep 0.01; done";

    private static final String SHOW = "echo \"$CUDA_VISIBLE_DEVICES\" \"${SLUICE_GPUS-none}\"";

    @TempDir
    Path folder;

    private DetachedRunnerFixture fixture;

    @BeforeEach
    void open() {
        fixture = new DetachedRunnerFixture(
                folder,
                DetachedRunnerFixture.LONG_GRACE,
                null,
                ProcessTable.ofThisSystem(),
                new Confinement(Gpus.parse("7,9"), Enforcement.NONE));
        fixture.runner.recover(Map.of());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void start(RunKey key, String script, RunRequest request) {
        LocalCommand command = LocalCommand.shell(script).withDirectory(folder);
        fixture.runner.start(key, command, fixture.logFile(key), null, request);
    }

    @Test
    void run_requestingGpus_seesItsOwn() {
        start(FIRST, SHOW + "; touch up; while [ ! -e go ]; do sleep 0.01; done", ONE);
        DetachedRunnerFixture.eventually(() -> Files.exists(folder.resolve("up")));
        start(SECOND, SHOW, ONE);
        assertThat(fixture.lastOf(SECOND)).isEqualTo("exit code 0");
        assertThat(fixture.log(FIRST)).isEqualTo("7 7\n");
        assertThat(fixture.log(SECOND)).isEqualTo("9 9\n");
    }

    @Test
    void run_requestingNone_seesNone() {
        assertThat(fixture.runShell(FIRST, SHOW)).isEqualTo("exit code 0");
        assertThat(fixture.log(FIRST)).isEqualTo(" none\n");
    }

    @Test
    void run_requestingTooMany_isRefused() {
        start(FIRST, SHOW, new RunRequest(3, Long.MAX_VALUE, Long.MAX_VALUE));
        assertThat(fixture.lastOf(FIRST)).isEqualTo("the task requests 3 GPUs, and this machine has 2 GPUs (7,9)");
    }

    @Test
    void end_leavingProcesses_keepsItsGpusUntilTheyEnded() throws IOException {
        start(FIRST, LEAVING, BOTH);
        assertThat(fixture.lastOf(FIRST)).isEqualTo("exit code 0");
        fixture.runner.forget(FIRST);
        start(SECOND, "test -e gone", ONE);
        assertThat(fixture.calls(SECOND)).isEmpty();
        Files.createFile(folder.resolve("go"));
        assertThat(fixture.lastOf(SECOND)).isEqualTo("exit code 0");
    }

    @Test
    void restart_runForgottenWhileProcessesRemain_keepsItsGpus() throws IOException {
        start(FIRST, LEAVING, BOTH);
        assertThat(fixture.lastOf(FIRST)).isEqualTo("exit code 0");
        fixture.runner.forget(FIRST);
        fixture.restart();
        start(SECOND, "test -e gone", ONE);
        assertThat(fixture.calls(SECOND)).isEmpty();
        Files.createFile(folder.resolve("go"));
        assertThat(fixture.lastOf(SECOND)).isEqualTo("exit code 0");
    }

    @Test
    void restart_runAlive_keepsItsGpus() {
        start(FIRST, "touch up; while [ ! -e go ]; do sleep 0.01; done", ONE);
        DetachedRunnerFixture.eventually(() -> Files.exists(folder.resolve("up")));
        fixture.restart(FIRST);
        start(SECOND, SHOW, ONE);
        assertThat(fixture.lastOf(SECOND)).isEqualTo("exit code 0");
        assertThat(fixture.log(SECOND)).isEqualTo("9 9\n");
    }

    @Test
    void stop_runWaitingForGpus_endsWithoutStart() {
        start(FIRST, "while :; do sleep 0.01; done", BOTH);
        fixture.awaitStarted(FIRST);
        start(SECOND, SHOW, ONE);
        fixture.runner.stop(SECOND);
        assertThat(fixture.lastOf(SECOND)).isEqualTo("stopped before it started");
        assertThat(fixture.log(SECOND)).isEmpty();
    }
}
