package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Suspends, resumes and signals a real task of a packaged server, which is killed meanwhile. */
@ProgramTest
final class SuspendedTasksTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private static void awaits(Callable<Boolean> condition) {
        await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(10)).until(condition);
    }

    private long count() throws IOException {
        return Files.size(directory.resolve("count"));
    }

    /** Returns the state of the task's shell; D if it waits for a child that was halted before it began. */
    private boolean isHalted() throws IOException {
        String pid = Files.readString(directory.resolve("pid")).strip();
        String stat = Files.readString(Path.of("/proc", pid, "stat"));
        return List.of("T", "D").contains(stat.substring(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3));
    }

    private static void succeeds(TestServer server, String printed, String... arguments) {
        Program.ProgramResult result = server.execute(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).containsPattern(printed);
    }

    @Test
    @Tag("slow")
    void task_suspended_standsStillOverRestartUntilResumed() throws Exception {
        Path data = directory.resolve("server");
        String script = "cd '" + directory + "'; trap 'echo got >signal' USR1; echo $$ >pid;"
                + " while :; do echo x >>count; sleep 0.01; done";
        long halted;
        try (TestServer server = TestServer.withNode(data)) {
            succeeds(server, "counting", "submit", "-q", "--id", "counting", "--", "sh", "-c", script);
            awaits(() -> Files.exists(directory.resolve("count")) && count() > 0);
            succeeds(server, "Running, held, 1 suspended", "suspend", "counting");
            awaits(this::isHalted);
            halted = count();
        }
        try (TestServer server = TestServer.withNode(data)) {
            succeeds(server, "Suspended +1 task, which keeps its resources", "get", "counting");
            succeeds(server, "suspended on .*sluice resume counting", "why", "counting", "sh");
            succeeds(server, "sh +suspended", "tasks", "counting", "--state", "suspended");
            assertThat(isHalted()).isTrue();
            assertThat(count()).isEqualTo(halted);
            succeeds(server, "Running, held +0/1", "resume", "counting", "sh");
            awaits(() -> count() > halted);
            succeeds(server, "sent USR1 to 1 task", "signal", "counting", "USR1");
            awaits(() -> Files.exists(directory.resolve("signal")));
            succeeds(server, "1 suspended", "suspend", "counting", "sh");
            awaits(this::isHalted);
            succeeds(server, "counting", "cancel", "counting");
            succeeds(server, "Failed", "wait", "counting", "--for", "ended");
        }
    }
}
