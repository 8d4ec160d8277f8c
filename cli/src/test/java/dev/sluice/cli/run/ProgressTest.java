package dev.sluice.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.terminal.Style;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Progress of applications, from the events of a scheduler whose tasks end on the test's command. */
final class ProgressTest {

    private final CheckedScheduler scheduler = new CheckedScheduler();
    private final ClusterUnderTest cluster = new ClusterUnderTest(scheduler)
            .configure(PartitionConfiguration.simplest())
            .node("n", "slots", "2");

    @TempDir
    Path directory;

    private List<String> lines() {
        return lines(true);
    }

    private List<String> lines(boolean everyTask) {
        List<String> lines = new ArrayList<>();
        Progress progress = new Progress(
                new PlainProgress(line -> lines.add(line.replaceFirst("^[0-9:]{8}  ", "")), Style.PLAIN, everyTask, 2),
                new RunLogs(directory));
        progress.committed(1, List.of(new JournalEntry(Cause.internal("test"), scheduler.journal())));
        return lines;
    }

    @Test
    void application_untilForgotten_isShownWithItsFigures() {
        cluster.submitSealed(
                "a", "root.default", TaskSpec.of("t", 2, Resources.NONE).withAttempts(1, null));
        List<String> unused = cluster.cycle();
        unused = cluster.advance(Duration.ofSeconds(2)).fail("a/t-0").cycle();
        cluster.succeed("a/t-0").succeed("a/t-1").handle(new Command.ForgetApplication("default", "a"));

        assertThat(lines())
                .containsExactly(
                        "a  accepted",
                        "a  task t-0 started on n",
                        "a  started in root.default, 2 tasks",
                        "a  task t-1 started on n",
                        "a  running",
                        "a  task t-0 failed; will be retried",
                        "a  task t-0 started on n",
                        "a  task t-0 succeeded",
                        "a  task t-1 succeeded",
                        "a  completing",
                        "a  completed, 2 of 2 tasks in 2.0 s");
    }

    @Test
    void failures_allNamed_withTheEndOfTheirLogs() throws Exception {
        cluster.submitSealed("a", "root.default", TaskSpec.of("t", 12, Resources.NONE));
        Files.createDirectories(directory.resolve("a"));
        Files.writeString(directory.resolve("a/t-3.log"), "one\ntwo\nthree\u0007");
        Files.writeString(directory.resolve("a/t-4.log"), "");
        for (int i = 0; i < 12; i++) {
            List<String> unused = cluster.cycle();
            cluster.fail("a/t-" + i);
        }

        assertThat(lines(false))
                .contains("a  task t-11 failed")
                .containsSubsequence(
                        "a  task t-3 failed", "  │ two", "  │ three\ufffd", "a  task t-4 failed", "  (no output)")
                .doesNotContain("  │ one");
    }

    @Test
    void failure_retried_isNamedWithoutLog() throws Exception {
        cluster.submitSealed(
                "a", "root.default", TaskSpec.single("t", Resources.NONE).withAttempts(1, null));
        Files.createDirectories(directory.resolve("a"));
        Files.writeString(directory.resolve("a/t.log"), "reason\n");
        List<String> unused = cluster.cycle();
        cluster.fail("a/t");

        assertThat(lines(false)).contains("a  task t failed; will be retried").doesNotContain("  │ reason");
    }
}
