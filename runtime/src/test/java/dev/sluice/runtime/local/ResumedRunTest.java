package dev.sluice.runtime.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.StoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs that continue where an earlier one has ended. Every run of a task appends its id to the file {@code ran}. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ResumedRunTest {

    private static final String RAN = "echo $SLUICE_TASK >> $SLUICE_RUN_DIRECTORY/ran; ";

    @TempDir
    Path directory;

    private static TaskSpec task(String name, String command) {
        return TaskSpec.single(name, Resources.parse("vcore", "2")).withCommand(TaskCommand.shell(RAN + command));
    }

    private static TaskSpec tasks(String name, int count, String command) {
        return TaskSpec.of(name, count, Resources.parse("vcore", "2")).withCommand(TaskCommand.shell(RAN + command));
    }

    private LocalRun run(RunJournal journal, Projection projection) {
        return new LocalRun(directory, Duration.ofSeconds(1), InstantSource.system(), journal, projection);
    }

    private RunResult start(FailurePolicy onFailure, TaskSpec... specs) throws Exception {
        List<LocalRun> runs = new ArrayList<>();
        try (RunJournal journal = RunJournal.create(directory)) {
            LocalRun run = run(journal, (first, entries) -> {
                boolean last = entries.stream()
                        .flatMap(entry -> entry.events().stream())
                        .anyMatch(event -> event instanceof TaskEvent.Ended ended
                                && ended.task().task().equals("interrupts"));
                if (last) {
                    runs.get(0).interrupt();
                }
            });
            runs.add(run);
            assertThat(run.prepare(List.of(
                            new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())),
                            new Command.RegisterNode(
                                    "default",
                                    "local",
                                    Resources.parse("slots", "9", "vcore", "2"),
                                    Collections.emptySortedMap()),
                            new Command.SubmitApplication(
                                    "default",
                                    ApplicationSpec.sealed("app", "root.default", specs)
                                            .withOnFailure(onFailure)))))
                    .isNull();
            return run.run();
        }
    }

    private RunResult resume(boolean failed) throws Exception {
        try (RunJournal journal = RunJournal.open(directory, Duration.ofSeconds(1))) {
            if (failed) {
                journal.rerunUnsuccessful();
            }
            return run(journal, (first, entries) -> {}).run();
        }
    }

    private List<String> ran() throws Exception {
        return Files.readAllLines(directory.resolve("ran"));
    }

    @Test
    void interruptedRun_resumed_runsOnlyWhatIsLeft() throws Exception {
        Resources half = Resources.parse("vcore", "1");
        TaskSpec interrupts = TaskSpec.single("interrupts", half)
                .withAfter(Map.of("long", TaskCondition.STARTED))
                .withCommand(TaskCommand.shell("until grep long $SLUICE_RUN_DIRECTORY/ran; do sleep 0.05; done"));
        RunResult interrupted = start(
                FailurePolicy.CONTINUE,
                task("first", "true"),
                task("long", "[ $SLUICE_ATTEMPT -gt 1 ] || sleep 60")
                        .withResources(half)
                        .withAfter(Map.of("first", TaskCondition.SUCCEEDED)),
                interrupts,
                task("last", "true").withAfter(Map.of("long", TaskCondition.SUCCEEDED)));
        assertThat(interrupted.interrupted()).isTrue();
        assertThat(interrupted.applications().get(0).state()).isEqualTo(ApplicationState.FAILED);

        RunResult resumed = resume(false);

        assertThat(resumed.isSuccess()).isTrue();
        assertThat(ran()).containsExactly("first", "long", "long", "last");
        assertThat(resumed.applications().get(0).results())
                .extracting(TaskResult::task, TaskResult::attempts)
                .containsExactly(tuple("first", 1), tuple("interrupts", 1), tuple("long", 2), tuple("last", 1));
    }

    @Test
    void endedRun_resumed_repeatsItsResult() throws Exception {
        RunResult first = start(FailurePolicy.CONTINUE, task("good", "true"), task("bad", "false"));

        RunResult again = resume(false);

        assertThat(again).isEqualTo(first);
        assertThat(ran()).containsExactlyInAnyOrder("good", "bad");
    }

    @Test
    void failedTasks_resumed_runAgainWithTheirIndex() throws Exception {
        TaskSpec[] specs = {
            tasks("t", 4, "[ $SLUICE_TASK_INDEX != 2 ] || [ -e $SLUICE_RUN_DIRECTORY/fixed ]"),
            task("merge", "true").withAfter(Map.of("t", TaskCondition.SUCCEEDED)),
            task("other", "true")
        };
        RunResult first = start(FailurePolicy.CONTINUE, specs);
        assertThat(first.hasFailures()).isTrue();
        Files.createFile(directory.resolve("fixed"));
        assertThat(resume(false).isSuccess()).isFalse();

        RunResult again = resume(true);

        assertThat(again.isSuccess()).as("%s", again).isTrue();
        assertThat(again.applications().get(0).succeeded()).isEqualTo(6);
        assertThat(ran())
                .containsExactlyInAnyOrder("t-0", "t-1", "t-2", "t-3", "other", "t-2", "merge")
                .endsWith("t-2", "merge");
        assertThat(resume(false)).isEqualTo(again);
    }

    @Test
    void cancelledApplication_resumedWithFailures_completes() throws Exception {
        RunResult first = start(
                FailurePolicy.STOP,
                task("bad", "[ -e $SLUICE_RUN_DIRECTORY/fixed ]"),
                tasks("rest", 3, "true").withPriority(-1));
        assertThat(first.applications().get(0).stopped()).isEqualTo(3);
        Files.createFile(directory.resolve("fixed"));

        RunResult again = resume(true);

        assertThat(again.isSuccess()).as("%s", again).isTrue();
        assertThat(ran()).containsExactlyInAnyOrder("bad", "bad", "rest-0", "rest-1", "rest-2");
    }

    @Test
    void resumedTask_hasAllRetriesAgain() throws Exception {
        TaskSpec flaky = task("flaky", "[ $SLUICE_ATTEMPT = 4 ]").withAttempts(1, null);
        assertThat(start(FailurePolicy.CONTINUE, flaky).hasFailures()).isTrue();
        assertThat(ran()).hasSize(2);

        RunResult again = resume(true);

        assertThat(again.isSuccess()).as("%s", again).isTrue();
        assertThat(ran()).hasSize(4);
    }

    @Test
    void delayedTask_resumedAfterFailure_runsAtOnce() throws Exception {
        TaskSpec flaky = task("flaky", "[ $SLUICE_ATTEMPT = 3 ]")
                .withRetries(new Retries(1, Duration.ofMillis(20), 1, List.of(1)));
        assertThat(start(FailurePolicy.CONTINUE, flaky).hasFailures()).isTrue();
        assertThat(ran()).hasSize(2);

        assertThat(resume(true).isSuccess()).isTrue();

        assertThat(ran()).hasSize(3);
    }

    @Test
    void dependentOfStartedTask_finished_doesNotRunAgain() throws Exception {
        RunResult first = start(
                FailurePolicy.CONTINUE,
                task("driver", "[ -e $SLUICE_RUN_DIRECTORY/fixed ]"),
                task("executor", "true").withAfter(Map.of("driver", TaskCondition.STARTED)));
        assertThat(first.applications().get(0).succeeded()).isEqualTo(1);
        Files.createFile(directory.resolve("fixed"));

        assertThat(resume(true).isSuccess()).isTrue();

        assertThat(ran()).containsExactly("driver", "executor", "driver");
    }

    @Test
    void stuckRun_resumed_reportsTheSameReason() throws Exception {
        TaskSpec large = TaskSpec.single("large", Resources.parse("vcore", "5")).withCommand(TaskCommand.shell("true"));
        RunResult first = start(FailurePolicy.CONTINUE, large);
        assertThat(first.stuck()).hasSize(1);

        assertThat(resume(false).stuck()).isEqualTo(first.stuck());
    }

    @Test
    void newRun_replacesTheJournal() throws Exception {
        RunResult unused = start(FailurePolicy.CONTINUE, task("first", "true"));
        unused = start(FailurePolicy.CONTINUE, task("second", "true"));

        assertThat(resume(false).applications().get(0).results())
                .extracting(TaskResult::task)
                .containsExactly("second");
    }

    @Test
    void journal_missingOrEmpty_isRefused() throws Exception {
        assertThatThrownBy(() -> RunJournal.open(directory, Duration.ofSeconds(1)))
                .isInstanceOf(StoreException.class)
                .hasMessage(directory + " is not the log folder of a run: " + directory + "/journal not found");
        RunJournal.create(directory).close();

        assertThatThrownBy(() -> RunJournal.open(directory, Duration.ofSeconds(1)))
                .isInstanceOf(StoreException.class)
                .hasMessage(directory + "/journal is empty: this run cannot be resumed; start it again");
    }
}
