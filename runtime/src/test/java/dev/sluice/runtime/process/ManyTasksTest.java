package dev.sluice.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.runtime.executor.RunExit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many short tasks: each is reported once and leaks nothing, neither in this program nor on the machine. */
@Timeout(300)
final class ManyTasksTest {

    private static final int TASKS = 2_000;
    private static final int AT_ONCE = 4;

    @TempDir
    Path folder;

    @Test
    void runner_manyShortTasks_reportsEachOnceAndLeaksNothing() throws Exception {
        AtomicIntegerArray successes = new AtomicIntegerArray(TASKS);
        Semaphore slots = new Semaphore(AT_ONCE);
        try (ProcessRunner<Integer> runner = new ProcessRunner<>((task, exit) -> {
            if (exit.isSuccess()) {
                successes.incrementAndGet(task);
            }
            slots.release();
        })) {
            for (int i = 0; i < TASKS; i++) {
                slots.acquire();
                runner.start(i, LocalCommand.of("true"), folder.resolve(i % 10 + ".log"));
            }
            await().atMost(RunnerFixture.TIMEOUT).until(() -> runner.unfinishedCount() == 0);
            assertThat(successes).satisfies(counts -> {
                for (int i = 0; i < TASKS; i++) {
                    assertThat(counts.get(i)).as("reports of task %s", i).isEqualTo(1);
                }
            });
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("process-")))
                    .hasSizeLessThanOrEqualTo(2);
            assertThat(runner.stopAll()).isTrue();
        }
    }

    @Test
    void listener_simultaneousStopAndEnd_isCalledOnce() {
        try (RunnerFixture fixture = new RunnerFixture(folder, Duration.ofSeconds(60))) {
            int count = 300;
            for (int i = 0; i < count; i++) {
                TaskProcess process = fixture.start("t-" + i, LocalCommand.of("true"));
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
