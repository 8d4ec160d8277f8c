package dev.sluice.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.Style;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.core.testing.TaskRefs;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Progress of load classes, with a scheduler whose tasks end on the test's command. */
final class LoadClassProgressTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final Scheduler scheduler = new Scheduler();
    private final List<String> lines = new ArrayList<>();
    private Progress progress = following(false);

    private Progress following(boolean everyTask) {
        return new Progress(
                new PlainProgress(
                        line -> {
                            if (line.contains("root.")) {
                                lines.add(line.substring(line.indexOf("root.")));
                            }
                        },
                        Style.PLAIN,
                        everyTask,
                        0),
                new RunLogs(Path.of("logs")));
    }

    private static QueueConfiguration classOf(String name, @Nullable Integer percent, QueueConfiguration... children) {
        QueueProperties properties = QueueProperties.DEFAULTS
                .withSharePolicy(children.length == 0 ? SharePolicyKind.FAIR : SharePolicyKind.LOAD)
                .withLoad(LoadProperties.DEFAULTS.withPercent(percent));
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, List.of(children));
    }

    private void cluster(QueueConfiguration root, int workers) {
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.of("default", root))));
        for (int i = 0; i < workers; i++) {
            handle(new Command.RegisterNode("default", "w-" + i, Resources.parse("slots", "1"), new TreeMap<>()));
        }
    }

    // root (load)
    //  ├─ land 75 %
    //  └─ diff 25 %
    private void landAndDiff() {
        cluster(classOf("root", null, classOf("land", 75), classOf("diff", 25)), 4);
    }

    private void handle(Command command) {
        CommandResult reply = scheduler.handle(command, NOW);
        assertThat(reply.refusal()).isNull();
        follow(reply.events());
    }

    private void follow(List<Event> events) {
        progress.committed(1, List.of(new JournalEntry(Cause.internal("test"), events)));
    }

    private void submit(String id, String queue, int tasks) {
        handle(new Command.SubmitApplication(
                "default", ApplicationSpec.sealed(id, queue, TaskSpec.of("t", tasks, Resources.NONE))));
    }

    private void end(String id, int index) {
        handle(new Command.ReportTaskSucceeded(TaskRefs.run("default", id, "t-" + index, 1)));
    }

    private void cycle() {
        List<Event> events = scheduler.cycle("default", NOW);
        if (!events.isEmpty()) {
            follow(events);
        }
    }

    private List<String> loans() {
        return lines.stream().filter(line -> !line.contains("task")).toList();
    }

    @Test
    void class_borrowing_isReportedOnceUntilReturned() {
        landAndDiff();
        submit("d", "root.diff", 6);
        cycle();
        assertThat(loans()).containsExactly("root.diff  borrows 3 workers: 4 running, entitled to 1");

        end("d", 0);
        cycle();
        submit("l", "root.land", 3);
        end("d", 1);
        end("d", 2);
        cycle();
        assertThat(loans()).hasSize(1);

        end("d", 3);
        assertThat(loans()).as("a worker may be taken again at once").hasSize(1);
        cycle();
        assertThat(loans())
                .containsExactly(
                        "root.diff  borrows 3 workers: 4 running, entitled to 1",
                        "root.diff  returned its loans: 1 running, entitled to 1");
        assertThat(progress.loadClasses())
                .containsExactly(
                        new LoadClassProgress("default", "root.land", 75, 3, 3, 3, 3, 0, 0),
                        new LoadClassProgress("default", "root.diff", 25, 1, 1, 5, 4, 3, 0));
    }

    @Test
    void class_withoutWaitingTasks_returnsLoansAtTaskEnd() {
        landAndDiff();
        submit("d", "root.diff", 2);
        cycle();

        end("d", 1);

        assertThat(loans())
                .containsExactly(
                        "root.diff  borrows 1 worker: 2 running, entitled to 1",
                        "root.diff  returned its loans: 1 running, entitled to 1");
    }

    @Test
    void loans_changingOften_areReportedTenTimesUnlessVerbose() {
        for (boolean everyTask : new boolean[] {false, true}) {
            LoadClassProgressTest test = new LoadClassProgressTest();
            test.progress = test.following(everyTask);
            test.landAndDiff();
            for (int i = 0; i < 8; i++) {
                test.submit("d" + i, "root.diff", 2);
                test.cycle();
                test.end("d" + i, 0);
                test.end("d" + i, 1);
            }

            assertThat(test.loans()).hasSize(everyTask ? 16 : 11);
            if (!everyTask) {
                assertThat(test.loans().get(10)).isEqualTo("root.diff  more loans (--verbose shows all)");
            }
        }
    }

    @Test
    void tasks_preemptedByRebalance_areCounted() {
        landAndDiff();
        submit("d", "root.diff", 6);
        cycle();

        List<Event> stops = List.of(
                new TaskEvent.Stopping(allocation(0), StopReason.REBALANCE, NOW),
                new TaskEvent.Stopping(allocation(1), StopReason.REBALANCE, NOW),
                new TaskEvent.Stopping(allocation(2), StopReason.STOPPED, NOW));
        follow(stops);

        assertThat(progress.loadClasses().get(1).preempted()).isEqualTo(2);
        assertThat(progress.loadClasses().get(1).running())
                .as("a preempted task has given up its worker")
                .isEqualTo(2);
        follow(List.of(ended(0), ended(2)));
        assertThat(progress.loadClasses().get(1).running()).isEqualTo(1);
        assertThat(lines).contains("root.diff  preempted by entitled classes: 2 tasks stopped so far");
    }

    private static Allocation allocation(int index) {
        ApplicationOrigin origin = new ApplicationOrigin("root.diff", ApplicationSpec.NOBODY, NOW);
        return new Allocation(TaskRefs.run("default", "d", "t-" + index, 1), "n", origin, NOW, null);
    }

    private static Event ended(int index) {
        return new TaskEvent.Ended(allocation(index), TaskOutcome.STOPPED, null, "", index == 0, NOW);
    }

    // root (load)
    //  ├─ ci 60 % (load)
    //  │   ├─ land 50 %
    //  │   └─ diff 50 %
    //  └─ batch 40 %
    @Test
    void classes_nested_shareParentEntitlement() {
        cluster(
                classOf(
                        "root",
                        null,
                        classOf("ci", 60, classOf("land", 50), classOf("diff", 50)),
                        classOf("batch", 40)),
                10);

        assertThat(progress.loadClasses())
                .extracting(LoadClassProgress::path, LoadClassProgress::entitlement)
                .containsExactly(
                        tuple("root.ci", 6),
                        tuple("root.batch", 4),
                        tuple("root.ci.land", 3),
                        tuple("root.ci.diff", 3));
    }

    @Test
    void queues_withoutLoadPolicy_areNoClasses() {
        cluster(classOf("root", null), 1);

        assertThat(progress.loadClasses()).isEmpty();
    }

    @Test
    void liveLines_showRunningTasksAndLoans() throws Exception {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        LiveProgress live = new LiveProgress(new LiveLines(screen), Style.PLAIN, false, 0, 2, 9);
        progress = new Progress(live, new RunLogs(Path.of("logs")));
        landAndDiff();
        submit("l", "root.land", 1);
        submit("d", "root.diff", 6);
        cycle();
        live.close();

        assertThat(screen.toString(UTF_8))
                .contains("root.land  running 1 of 3")
                .contains("root.diff  running 3 of 1, 2 on loan")
                .doesNotContain("borrows");
    }
}
