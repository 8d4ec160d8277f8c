package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.process.LocalCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many shells and a runner claim the same run concurrently: it is executed at most once. */
@Timeout(180)
final class RunClaimRaceTest {

    private static final int ROUNDS = 100;
    private static final int SHELLS = 6;

    @TempDir
    Path folder;

    @Test
    @Tag("slow")
    void claim_concurrent_isWonByExactlyOne() throws Exception {
        TaskLauncher launcher = TaskLauncher.find();
        String boot = ProcessClock.ofThisSystem("ps").boot();
        int withdrawn = 0;
        // Adapts the delay so that both claim at almost the same time.
        double delayNanos = 2_000_000;
        for (int round = 0; round < ROUNDS; round++) {
            RunFolder run = new RunFolder(folder.resolve("run-" + round));
            Path ran = folder.resolve("ran-" + round);
            assertThat(run.create()).isTrue();
            Path log = PrivateFiles.ensureFile(folder.resolve("log"));
            LocalCommand command = LocalCommand.shell("echo $PPID >>" + ran);
            List<Process> shells = new ArrayList<>();
            long due = System.nanoTime() + (long) delayNanos;
            CompletableFuture<Boolean> withdrawal = CompletableFuture.supplyAsync(() -> withdrawAt(run, due));
            for (int i = 0; i < SHELLS; i++) {
                shells.add(launcher.start(run, "race", boot, List.of(), command, log));
            }
            boolean mine = withdrawal.join();
            withdrawn += mine ? 1 : 0;
            delayNanos *= mine ? 1.15 : 0.87;
            for (Process shell : shells) {
                shell.waitFor();
            }
            List<String> pids = DetachedRunnerFixture.read(ran).lines().toList();
            if (mine) {
                assertThat(run.claim()).isEqualTo(new RunClaim.Withdrawn());
                assertThat(pids).isEmpty();
                assertThat(run.path().resolve("exit"))
                        .satisfies(
                                exit -> assertThat(Files.isSymbolicLink(exit)).isFalse());
            } else {
                assertThat(run.claim()).isInstanceOf(RunClaim.Claimed.class);
                long winner = ((RunClaim.Claimed) run.claim()).identity().pid();
                assertThat(pids).containsExactly(Long.toString(winner));
                assertThat(run.exit()).isNotNull();
            }
        }
        assertThat(withdrawn).isBetween(1, ROUNDS - 1);
    }

    private static boolean withdrawAt(RunFolder run, long due) {
        while (System.nanoTime() < due) {
            Thread.onSpinWait();
        }
        try {
            return run.withdraw();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
