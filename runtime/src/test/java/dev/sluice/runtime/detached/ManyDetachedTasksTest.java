package dev.sluice.runtime.detached;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.RunRequest;
import dev.sluice.runtime.process.LocalCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many short runs that are stopped, or whose runner is replaced, at any moment: each has exactly one report, and it is
 * correct.
 */
@Timeout(300)
final class ManyDetachedTasksTest {

    @TempDir
    Path folder;

    @Test
    @Tag("slow")
    void runner_replacedAtAnyMoment_reportsEachRunOnceCorrectly() {
        Random random = new Random(7);
        List<RunKey> all = new ArrayList<>();
        List<RunKey> expected = new ArrayList<>();
        List<RunKey> ended = new ArrayList<>();
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            for (int round = 0; round < 12; round++) {
                for (int i = 0; i < 12; i++) {
                    RunKey key = DetachedRunnerFixture.key(all.size());
                    all.add(key);
                    expected.add(key);
                    fixture.startShell(key, "echo " + key.allocation() + " >>ran");
                    if (random.nextInt(4) == 0) {
                        fixture.runner.stop(key);
                    }
                }
                long until = System.nanoTime() + random.nextInt(40_000_000);
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                fixture.runner.close();
                // A daemon may lose its latest reports, so some are repeated.
                settle(fixture, expected, ended, random.nextInt(3));
                fixture.restart(expected.toArray(RunKey[]::new));
            }
            expected.forEach(fixture::lastOf);
            settle(fixture, expected, ended, 0);
            assertThat(expected).isEmpty();
            assertThat(fixture.runner.unfinishedCount()).isZero();
        }
        List<String> ran =
                DetachedRunnerFixture.read(folder.resolve("ran")).lines().toList();
        assertThat(ran).doesNotHaveDuplicates();
        assertThat(ran)
                .containsAll(ended.stream()
                        .map(key -> Long.toString(key.allocation()))
                        .toList());
        assertThat(ended).hasSizeGreaterThan(10);
    }

    /**
     * Collects the reports except the latest {@code absent} ones; only runs that were not executed may be lost or
     * stopped.
     */
    private void settle(DetachedRunnerFixture fixture, List<RunKey> expected, List<RunKey> ended, int absent) {
        String ran = "\n" + DetachedRunnerFixture.read(folder.resolve("ran"));
        List<RunKey> reported = new ArrayList<>(expected);
        reported.removeIf(key -> fixture.calls(key).stream().allMatch("started"::equals));
        for (RunKey key : reported.subList(0, Math.max(0, reported.size() - absent))) {
            String last = fixture.lastOf(key);
            assertThat(last)
                    .isIn(
                            "exit code 0",
                            "exit code 143 (SIGTERM)",
                            "stopped before it started",
                            "lost: it had not started");
            if (last.equals("exit code 0")) {
                ended.add(key);
            } else if (!last.startsWith("exit code")) {
                assertThat(ran).doesNotContain("\n" + key.allocation() + "\n");
            }
            expected.remove(key);
        }
    }

    @Test
    void listener_throwing_isCalledForLaterRuns() {
        AtomicInteger ends = new AtomicInteger();
        DetachedRunListener listener = new DetachedRunListener() {
            @Override
            public void started(RunKey key, long pid) {
                fail();
            }

            @Override
            public void ended(RunKey key, RunExit exit) {
                ends.incrementAndGet();
                fail();
            }

            @Override
            public void lost(RunKey key, String reason) {
                fail();
            }

            @Override
            public void notStarted(RunKey key, String reason) {
                fail();
            }

            private void fail() {
                Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {});
                throw new IllegalStateException("injected listener failure");
            }
        };
        try (DetachedRunner runner =
                new DetachedRunner(DetachedRunnerFixture.paths(folder), listener, Duration.ZERO, Confinement.NONE)) {
            runner.recover(Map.of());
            for (int i = 0; i < 5; i++) {
                runner.start(
                        DetachedRunnerFixture.key(i),
                        LocalCommand.of("true"),
                        folder.resolve("log"),
                        null,
                        RunRequest.NONE);
            }
            assertThat(runner.stopAll()).isTrue();
            assertThat(ends).hasValue(5);
        }
    }

    @Test
    @Tag("slow")
    void runs_forgotten_leaveNothing() {
        try (DetachedRunnerFixture fixture = DetachedRunnerFixture.fresh(folder, DetachedRunnerFixture.LONG_GRACE)) {
            for (int i = 0; i < 200; i++) {
                fixture.start(DetachedRunnerFixture.key(i), LocalCommand.of("true"));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(fixture.lastOf(DetachedRunnerFixture.key(i))).isEqualTo("exit code 0");
                fixture.runner.forget(DetachedRunnerFixture.key(i));
            }
            DetachedRunnerFixture.eventually(() -> {
                try (var files = Files.list(fixture.runs())) {
                    return files.count() == 1;
                }
            });
        }
    }
}
