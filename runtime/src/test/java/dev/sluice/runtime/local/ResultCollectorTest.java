package dev.sluice.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results from events alone. */
final class ResultCollectorTest {

    private final CheckedScheduler scheduler = new CheckedScheduler();
    private final ClusterUnderTest cluster = new ClusterUnderTest(scheduler)
            .configure(PartitionConfiguration.simplest())
            .node("n", "slots", "2");

    private List<ApplicationResult> results() {
        ResultCollector collector = new ResultCollector(task -> Path.of(task.toString()));
        collector.committed(1, List.of(new JournalEntry(Cause.internal("test"), scheduler.journal())));
        return collector.results();
    }

    @Test
    void results_ofJournal_containEveryRunInOrderOfEnds() {
        cluster.submitSealed(
                "a", "root.default", TaskSpec.of("t", 2, Resources.NONE).withAttempts(1, null));
        List<String> unused = cluster.cycle();
        cluster.fail("a/t-0").succeed("a/t-1");
        unused = cluster.cycle();
        cluster.fail("a/t-0");

        ApplicationResult result = results().get(0);

        assertThat(result.state()).isEqualTo(ApplicationState.FAILED);
        assertThat(result.reason()).isEqualTo("1 of 2 tasks failed");
        assertThat(result.queue()).isEqualTo("root.default");
        assertThat(result.tasks()).isEqualTo(2);
        assertThat(result.succeeded()).isEqualTo(1);
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.exitCodes()).containsEntry(1, 2);
        assertThat(result.firstPlaced()).isEqualTo(ClusterUnderTest.BEGIN);
        assertThat(result.results()).extracting(TaskResult::task).containsExactly("t-1", "t-0");
        assertThat(result.firstFailure())
                .isEqualTo(new TaskResult(
                        "t-0",
                        TaskState.FAILED,
                        2,
                        1,
                        "",
                        ClusterUnderTest.BEGIN,
                        ClusterUnderTest.BEGIN,
                        Path.of("default/a/t-0")));
    }

    @Test
    void results_ofForgottenApplications_areKeptInOrderOfSubmission() {
        cluster.submitSealed("z", "root.default", TaskSpec.single("t", Resources.NONE));
        cluster.submitSealed("y", "root.nowhere", TaskSpec.single("t", Resources.NONE));
        cluster.submitSealed("x", "root.default", TaskSpec.single("t", Resources.NONE));
        List<String> unused = cluster.cycle();
        cluster.fail("z/t").succeed("x/t").handle(new Command.ForgetApplication("default", "z"));

        assertThat(results())
                .extracting(each -> each.application() + " " + each.state())
                .containsExactly("z FAILED", "y REJECTED", "x COMPLETED");
    }
}
