package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.machine.CgroupRoot;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.LimitMode;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that exceed their limits. */
@Timeout(120)
final class LimitedRunsTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);
    private static final RunRequest SMALL = new RunRequest(0, 20 << 20, 500);

    /** Takes some 60 MiB in a child process and ignores SIGTERM. */
    private static final String GREEDY =
            "trap '' TERM; (echo $$ >>pids; x=$(head -c 60000000 /dev/zero | tr '\\0' a); while :; do sleep 1; done)";

    @TempDir
    Path folder;

    private DetachedRunnerFixture fixture(Enforcement enforcement) {
        DetachedRunnerFixture fixture = new DetachedRunnerFixture(
                folder,
                DetachedRunnerFixture.LONG_GRACE,
                null,
                ProcessTable.ofThisSystem(),
                new Confinement(Gpus.NONE, enforcement));
        fixture.runner.recover(Map.of());
        return fixture;
    }

    private void start(DetachedRunnerFixture fixture, String script) {
        LocalCommand command = LocalCommand.shell(script).withDirectory(folder);
        fixture.runner.start(RUN, command, fixture.logFile(RUN), null, SMALL);
    }

    @Test
    void watchedRun_usingTooMuchMemory_isKilledWithReason() {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.of(LimitMode.WATCH))) {
            start(fixture, GREEDY);
            List<Long> pids = fixture.pids("pids", 1);
            assertThat(fixture.lastOf(RUN)).matches("out-of-memory: used [0-9]+Mi, more than it requests \\(20Mi\\)");
            DetachedRunnerFixture.awaitGone(pids);
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).startsWith("out-of-memory: used ");
        }
    }

    @Test
    void recoveredRun_usingTooMuchMemory_isKilledWithReason() throws IOException {
        try (DetachedRunnerFixture fixture = fixture(Enforcement.of(LimitMode.WATCH))) {
            start(fixture, "touch up; while [ ! -e go ]; do sleep 0.01; done; " + GREEDY);
            // a run that has not claimed its folder before the restart would never start
            DetachedRunnerFixture.eventually(() -> Files.exists(folder.resolve("up")));
            fixture.restart(Map.of(RUN, SMALL));
            fixture.awaitStarted(RUN);
            Files.createFile(folder.resolve("go"));
            assertThat(fixture.lastOf(RUN)).startsWith("out-of-memory: used ");
        }
    }

    @Test
    void runInGroup_killedByKernel_endsWithReason() throws IOException {
        CgroupRoot root = new CgroupRoot(folder.resolve("cgroup"), "cpu memory pids");
        try (DetachedRunnerFixture fixture = fixture(root.enforcement())) {
            // as the kernel would do it: write what happened, then kill the process
            start(
                    fixture,
                    "cp " + root.service() + "/*/1.*/cgroup.procs entered; printf 'oom_kill 1\\n' >\""
                            + root.service() + "\"/$(cd " + root.service()
                            + "; echo sluice-*/1.*)/memory.events; echo $$; kill -9 $$");
            assertThat(fixture.lastOf(RUN)).isEqualTo("out-of-memory: used more than it requests (20Mi)");
            assertThat(folder.resolve("entered")).hasContent(fixture.log(RUN).trim());
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("out-of-memory: used more than it requests (20Mi)");
        }
    }

    @Test
    void runInGroup_succeeding_succeedsWithItsEnvironment() throws IOException {
        CgroupRoot root = new CgroupRoot(folder.resolve("cgroup"), "cpu memory pids");
        try (DetachedRunnerFixture fixture = fixture(root.enforcement())) {
            LocalCommand command = LocalCommand.of("env").withEnvironment(Map.of("A.B", "odd name"));
            fixture.runner.start(RUN, command, fixture.logFile(RUN), null, SMALL);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
            assertThat(fixture.log(RUN)).contains("A.B=odd name\n");
        }
    }
}
