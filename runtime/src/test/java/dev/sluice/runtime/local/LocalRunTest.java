package dev.sluice.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Enforcement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.machine.LimitMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What follows a run. */
final class LocalRunTest {

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void projection_throwing_failsRun() {
        Projection broken = (first, entries) -> {
            if (entries.stream().flatMap(entry -> entry.events().stream()).anyMatch(TaskEvent.class::isInstance)) {
                throw new IllegalArgumentException("injected failure");
            }
        };
        LocalRun run = new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system(), broken);
        prepare(run, new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        prepare(
                run,
                new Command.RegisterNode("default", "local", Resources.of("slots", 1), Collections.emptySortedMap()));
        TaskSpec task = TaskSpec.single("t", Resources.NONE).withCommand(TaskCommand.shell("sleep 60"));
        prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("a", "root.default", task)));

        assertThatThrownBy(run::run).hasMessage("the run failed").cause().hasMessage("injected failure");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void applications_moreThanRetained_areAllInResult() {
        LocalRun run = new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system());
        prepare(run, new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        int count = HostLimits.DEFAULT.retained() + 5;
        for (int i = 0; i < count; i++) {
            TaskSpec task = TaskSpec.single("t", Resources.NONE);
            prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("a" + i, "root.no", task)));
        }

        RunResult result = run.run();

        assertThat(result.applications()).hasSize(count);
        assertThat(result.applications().get(0).application()).isEqualTo("a0");
        assertThat(result.applications().get(0).state()).isEqualTo(ApplicationState.REJECTED);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void scratchFolder_ofEachRun_isRemovedAtItsEnd() throws Exception {
        LocalRun run = new LocalRun(directory.resolve("logs"), Duration.ofSeconds(1), InstantSource.system());
        prepare(run, new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        prepare(
                run,
                new Command.RegisterNode("default", "local", Resources.of("slots", 1), Collections.emptySortedMap()));
        Path found = directory.resolve("found");
        String script = "ls -A \"$SLUICE_SCRATCH\" | wc -l >>" + found + "; touch \"$SLUICE_SCRATCH/f\"; cd .; pwd >>"
                + found + "; ls \"$SLUICE_SCRATCH/..\" | wc -l >>" + found;
        TaskSpec task = TaskSpec.of("t", 2, Resources.NONE).withCommand(TaskCommand.shell(script));
        prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("a", "root.default", task)));

        run.run();

        String here = Path.of("").toRealPath().toString();
        assertThat(Files.readAllLines(found).stream().map(String::strip))
                .containsExactly("0", here, "1", "0", here, "1");
        assertThat(directory.resolve("logs/.scratch")).doesNotExist();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void tasks_confined_getGpusAndFailOverTheirMemory() throws IOException {
        LocalRun run = new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system());
        prepare(run, new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        Resources capacity = Resources.parse("slots", "2", "gpu", "2", "memory", "1Gi");
        prepare(run, new Command.RegisterNode("default", "local", capacity, Collections.emptySortedMap()));
        TaskSpec greedy = TaskSpec.single("greedy", Resources.parse("memory", "20Mi"))
                .withCommand(TaskCommand.shell("x=$(head -c 60000000 /dev/zero | tr '\\0' a); sleep 60"));
        TaskSpec both = TaskSpec.single("both", Resources.parse("gpu", "2"))
                .withCommand(TaskCommand.shell("echo $CUDA_VISIBLE_DEVICES"));
        prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("a", "root.default", greedy)));
        prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("b", "root.default", both)));
        run.confine(new Confinement(Gpus.parse("3,5"), Enforcement.of(LimitMode.WATCH)));

        List<ApplicationResult> results = run.run().applications();

        TaskResult failed = results.get(0).results().get(0);
        assertThat(failed.exitCode()).isEqualTo(137);
        assertThat(failed.detail()).startsWith("out-of-memory: used ");
        assertThat(Files.readString(results.get(1).results().get(0).log())).isEqualTo("3,5\n");
    }

    /**
     * The task that is retried does not stop the run at its first attempt; the run of {@code slow} would take a minute.
     */
    @Test
    @Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void failFast_firstPermanentFailure_stopsOtherApplications() {
        LocalRun run = new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system());
        prepare(run, new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        prepare(
                run,
                new Command.RegisterNode("default", "local", Resources.of("slots", 2), Collections.emptySortedMap()));
        TaskSpec bad =
                TaskSpec.single("t", Resources.NONE).withAttempts(1, null).withCommand(TaskCommand.shell("exit 3"));
        TaskSpec slow = TaskSpec.of("t", 5, Resources.NONE).withCommand(TaskCommand.shell("sleep 60"));
        prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("bad", "root.default", bad)));
        prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("slow", "root.default", slow)));
        run.failFast();

        RunResult result = run.run();

        ApplicationResult stopped = result.applications().get(1);
        assertThat(stopped.state()).isEqualTo(ApplicationState.FAILED);
        assertThat(stopped.reason()).isEqualTo("stopped because bad/t failed");
        assertThat(stopped.stopped()).isEqualTo(5);
        assertThat(result.applications().get(0).exitCodes()).containsEntry(3, 2);
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.interrupted()).isFalse();
    }

    @Test
    @Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void log_beyondLimit_isTruncatedInShortRun() throws Exception {
        LocalRun run = new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system());
        prepare(run, new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        prepare(
                run,
                new Command.RegisterNode("default", "local", Resources.of("slots", 1), Collections.emptySortedMap()));
        TaskSpec loud = TaskSpec.single("t", Resources.NONE).withCommand(TaskCommand.shell("seq 10000"));
        prepare(run, new Command.SubmitApplication("default", ApplicationSpec.sealed("a", "root.default", loud)));
        run.limitLogs(4);

        assertThat(run.run().isSuccess()).isTrue();
        assertThat(directory.resolve("a/t.log"))
                .hasContent("1\n2\n\nsluice: log limit of 4 bytes reached; the rest of the output was dropped\n");
    }

    private static void prepare(LocalRun run, Command command) {
        assertThat(run.prepare(command)).isNull();
    }
}
