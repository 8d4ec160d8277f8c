package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recovery from every state in which an earlier runner may have left a run. */
@Timeout(120)
final class RecoveryTest {

    private static final RunKey RUN = DetachedRunnerFixture.key(1);
    private static final RunKey OTHER = DetachedRunnerFixture.key(2);

    @TempDir
    Path folder;

    private DetachedRunnerFixture fixture;

    @BeforeEach
    void fresh() {
        fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.SHORT_GRACE);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void run_endedMeanwhile_isReportedUntilForgotten() {
        fixture.startShell(RUN, "while [ ! -e go ]; do sleep 0.01; done; exit 5");
        fixture.awaitStarted(RUN);
        awaitClaim(RUN);
        fixture.runner.close();
        touch("go");
        DetachedRunnerFixture.eventually(() -> fixture.runFolder(RUN).exit() != null);
        for (int i = 0; i < 3; i++) {
            fixture.restart(RUN);
            assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 5");
            assertThat(fixture.calls(RUN)).hasSize(1);
        }
    }

    @Test
    void run_stillRunning_isReportedAtItsEnd() {
        fixture.startShell(RUN, "echo $$ >>pids; while [ ! -e go ]; do sleep 0.01; done; echo done; exit 6");
        fixture.pids("pids", 1);
        fixture.restart(RUN);
        fixture.awaitStarted(RUN);
        fixture.restart(RUN);
        fixture.awaitStarted(RUN);
        touch("go");
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 6");
        assertThat(fixture.log(RUN)).isEqualTo("done\n");
        assertThat(DetachedRunnerFixture.read(folder.resolve("pids")).lines()).hasSize(1);
    }

    @Test
    void run_stillRunning_canBeStopped() {
        fixture.startShell(RUN, "sleep 1000 & echo $! >>pids; wait");
        List<Long> pids = fixture.pids("pids", 1);
        fixture.restart(RUN);
        fixture.runner.stop(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 143 (SIGTERM)");
        DetachedRunnerFixture.awaitGone(pids);
    }

    @Test
    void run_stillRunningAndIgnoringSignals_canBeKilled() {
        fixture.startShell(RUN, "trap '' TERM; echo $$ >>pids; while :; do sleep 0.1; done");
        fixture.pids("pids", 1);
        fixture.restart(RUN);
        fixture.runner.stop(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 137 (SIGKILL)");
    }

    @Test
    void run_beingStopped_continuesToBeStopped() {
        fixture.close();
        fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE);
        fixture.startShell(RUN, "trap '' TERM; echo $$ >>pids; while :; do sleep 0.1; done");
        List<Long> pids = fixture.pids("pids", 1);
        fixture.runner.stop(RUN);
        DetachedRunnerFixture.eventually(() -> fixture.runFolder(RUN).isStopMarked());
        fixture.runner.close();
        fixture = new DetachedRunnerFixture(folder, DetachedRunnerFixture.SHORT_GRACE);
        fixture.runner.recover(DetachedRunnerFixture.requests(RUN));
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 137 (SIGKILL)");
        DetachedRunnerFixture.awaitGone(pids);
    }

    @Test
    void shellOfRun_killedMeanwhile_runIsLostAfterLastProcess() {
        fixture.startShell(
                RUN,
                "trap '' TERM; echo $PPID >>pids; echo $$ >>pids; setsid sh -c 'echo $$ >>pids; exec sleep 1000' &"
                        + " while :; do sleep 0.1; done");
        List<Long> pids = fixture.pids("pids", 3);
        fixture.runner.close();
        kill(pids.get(0));
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN))
                .isEqualTo("lost: process " + pids.get(0) + " ended without recording an exit code");
        assertThat(pids).noneMatch(DetachedRunnerFixture::runs);
    }

    @Test
    void shellOfRecoveredRun_killed_runIsLostAfterLastProcess() {
        fixture.startShell(RUN, "echo $PPID >>pids; echo $$ >>pids; while :; do sleep 0.1; done");
        List<Long> pids = fixture.pids("pids", 2);
        fixture.restart(RUN);
        kill(pids.get(0));
        assertThat(fixture.lastOf(RUN)).startsWith("lost: ");
        assertThat(pids).noneMatch(DetachedRunnerFixture::runs);
    }

    @Test
    void run_withoutFolderOrClaim_isLostAndUnclaimable() throws Exception {
        Files.createDirectory(fixture.runFolder(RUN).path());
        fixture.restart(RUN, OTHER);
        assertThat(fixture.lastOf(RUN)).isEqualTo("lost: it had not started");
        assertThat(fixture.lastOf(OTHER)).isEqualTo("lost: it had not started");
        assertThat(fixture.runFolder(RUN).claim()).isEqualTo(new RunClaim.Withdrawn());
        Process late = TaskLauncher.find()
                .start(
                        fixture.runFolder(RUN),
                        "late",
                        "-",
                        List.of(),
                        LocalCommand.of("touch", folder + "/ran"),
                        Files.createFile(folder.resolve("log")));
        assertThat(late.waitFor()).isEqualTo(126);
        assertThat(folder.resolve("ran")).doesNotExist();
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("lost: it had not started");
    }

    @Test
    void processId_reused_isNotSignalled() throws Exception {
        Process other = new ProcessBuilder("setsid", "sleep", "1000").start();
        DetachedRunnerFixture.eventually(
                () -> ProcessTable.ofThisSystem().read().stream().anyMatch(row -> row.session() == other.pid()));
        String boot = ProcessClock.ofThisSystem("ps").boot();
        claim(RUN, other.pid() + " " + boot + " 12345");
        claim(OTHER, other.pid() + " " + boot + " 12345");
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).contains("lost: process " + other.pid() + " ended");
        DetachedRunnerFixture.eventually(() -> !fixture.runFolder(OTHER).exists());
        fixture.runner.stopAll();
        assertThat(other.isAlive()).isTrue();
        other.destroyForcibly();
    }

    /**
     * The session may belong to an unrelated process that reuses the id, or to the run without its mark: it is not
     * signalled, and the run is not reported lost.
     */
    @Test
    void session_withoutMark_isAwaitedNotSignalled() throws Exception {
        Process other = new ProcessBuilder("setsid", "sh", "-c", "sleep 1000 & echo $! >" + folder + "/pids").start();
        assertThat(other.waitFor()).isZero();
        List<Long> pids = fixture.pids("pids", 1);
        claim(RUN, other.pid() + " " + ProcessClock.ofThisSystem("ps").boot() + " 12345");
        fixture.restart(RUN, OTHER);
        fixture.runner.stop(RUN);
        assertThat(fixture.lastOf(OTHER)).startsWith("lost: ");
        assertThat(fixture.calls(RUN)).isEmpty();
        assertThat(pids).allMatch(DetachedRunnerFixture::runs);
        kill(pids.get(0));
        assertThat(fixture.lastOf(RUN)).startsWith("lost: process " + other.pid() + " ended");
    }

    @Test
    void rebooted_host_runIsLostAndProcessNotSignalled() throws Exception {
        Process other = new ProcessBuilder("setsid", "sleep", "1000").start();
        ProcessClock clock = ProcessClock.ofThisSystem("ps");
        claim(RUN, other.pid() + " " + UUID.randomUUID() + " " + clock.startOf(other.pid()));
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("lost: host rebooted during the run");
        assertThat(other.isAlive()).isTrue();
        other.destroyForcibly();
    }

    @Test
    void runs_unexpected_areStoppedAndDeleted() {
        fixture.startShell(RUN, "trap '' TERM; echo $$ >>pids; while :; do sleep 0.1; done");
        fixture.runShell(OTHER, "exit 0");
        List<Long> pids = fixture.pids("pids", 1);
        fixture.restart();
        DetachedRunnerFixture.awaitGone(pids);
        DetachedRunnerFixture.eventually(() ->
                !fixture.runFolder(RUN).exists() && !fixture.runFolder(OTHER).exists());
        assertThat(fixture.calls(RUN)).isEmpty();
    }

    @Test
    void remainingProcesses_ofEndedRuns_areEnded() {
        fixture.startShell(RUN, "(trap '' TERM; sh -c 'echo $$ >>pids; exec sleep 1000') & exit 0");
        fixture.startShell(OTHER, "setsid sh -c 'echo $$ >>pids; exec sleep 1000' & exit 0");
        List<Long> pids = fixture.pids("pids", 2);
        fixture.lastOf(RUN);
        fixture.lastOf(OTHER);
        fixture.runner.forget(OTHER);
        DetachedRunnerFixture.eventually(() -> !fixture.runFolder(OTHER).exists());
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).isEqualTo("exit code 0");
        DetachedRunnerFixture.awaitGone(pids);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "0 - x", "1 - x", "99999999999999999999 - x", "-1 - x", "12", "12 ", "a b c"})
    void claim_malformed_isReportedAsLost(String claim) throws Exception {
        claim(RUN, claim);
        claim(OTHER, claim);
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: malformed claim: ").endsWith("claim");
        DetachedRunnerFixture.eventually(() -> !fixture.runFolder(OTHER).exists());
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "folder"})
    void claim_notALink_isLostAndNeverStarts(String kind) throws Exception {
        Path claim = fixture.runFolder(RUN).path().resolve("claim");
        Files.createDirectories(claim.getParent());
        if (kind.equals("file")) {
            Files.writeString(claim, "0");
        } else {
            Files.createDirectory(claim);
        }
        Process late = TaskLauncher.find()
                .start(
                        fixture.runFolder(RUN),
                        "late",
                        "-",
                        List.of(),
                        LocalCommand.of("touch", folder + "/ran"),
                        Files.createFile(folder.resolve("log")));
        assertThat(late.waitFor()).isEqualTo(126);
        assertThat(folder.resolve("ran")).doesNotExist();
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: unreadable claim");
    }

    @Test
    void claim_damagedDuringRun_isLostAfterLastProcess() throws Exception {
        fixture.startShell(RUN, "echo $$ >>pids; sleep 1000; true");
        List<Long> pids = fixture.pids("pids", 1);
        fixture.runner.close();
        Files.delete(fixture.runFolder(RUN).path().resolve("claim"));
        claim(RUN, "nonsense");
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: malformed claim");
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: malformed claim");
        assertThat(pids).noneMatch(DetachedRunnerFixture::runs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "12 %zz", "1234", " 1", "-1"})
    void exitCode_malformed_isReportedAsLost(String exit) throws Exception {
        claim(RUN, "12345678 - x");
        Files.createSymbolicLink(fixture.runFolder(RUN).path().resolve("exit"), Path.of(exit));
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: damaged exit code: ").endsWith("exit");
    }

    /** After a crash of the machine a record may be there without its content. */
    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0\n0\n", "00000000000000000000\n"})
    void exitCode_incomplete_isReportedAsLost(String code) throws Exception {
        claim(RUN, "12345678 - x");
        Files.createFile(fixture.runFolder(RUN).path().resolve("exit"));
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: damaged exit code: ");
        fixture.runner.close();
        Files.writeString(fixture.runFolder(RUN).path().resolve("code"), code);
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).startsWith("lost: damaged exit code: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "12345", "12345\n", "99999999 - x"})
    void claim_incomplete_isReportedAsLost(String shell) throws Exception {
        Files.createDirectories(fixture.runFolder(RUN).path());
        Files.createFile(fixture.runFolder(RUN).path().resolve("claim"));
        Files.writeString(fixture.runFolder(RUN).path().resolve("shell"), shell);
        fixture.restart(RUN);
        assertThat(fixture.lastOf(RUN)).matches("lost: (unreadable|malformed) claim.*");
    }

    @Test
    void runFolder_removedDuringRun_runIsLost() throws Exception {
        fixture.startShell(RUN, "echo $$ >>pids; while [ ! -e go ]; do sleep 0.01; done");
        fixture.pids("pids", 1);
        Files.move(fixture.runFolder(RUN).path(), folder.resolve("away"));
        touch("go");
        assertThat(fixture.lastOf(RUN)).startsWith("lost: folder ").endsWith(" not found");
    }

    @Test
    void otherFiles_inDirectory_areUnchanged() throws Exception {
        Path file = Files.createFile(fixture.runs().resolve("notes.txt"));
        Path gone = Files.createDirectory(fixture.runs().resolve(".gone-1"));
        fixture.restart();
        assertThat(file).exists();
        assertThat(gone).doesNotExist();
    }

    private void claim(RunKey key, String content) throws IOException {
        Path run = fixture.runFolder(key).path();
        Files.createDirectories(run);
        Files.createSymbolicLink(run.resolve("claim"), Path.of(content));
    }

    private void awaitClaim(RunKey key) {
        DetachedRunnerFixture.eventually(() -> fixture.runFolder(key).claim() instanceof RunClaim.Claimed);
    }

    private void touch(String file) {
        try {
            Files.createFile(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void kill(long pid) {
        assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
        DetachedRunnerFixture.awaitGone(List.of(pid));
    }
}
