package dev.sluice.runtime.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.TaskRefs;
import dev.sluice.runtime.detached.RunnerPaths;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.local.LogFolder;
import dev.sluice.runtime.local.ProcessExecutor;
import dev.sluice.runtime.local.ProcessSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs that end for the scheduler before their processes do. One task, which logs when a run starts and when one ends
 * on request.
 */
@Timeout(120)
final class NodeExecutorTest {

    private static final String PARTITION = PartitionConfiguration.DEFAULT_NAME;
    private static final String NODE = "here";
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    /** Long enough that no process is killed. */
    private static final Duration GRACE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final Scheduler scheduler = new Scheduler();
    private final BlockingQueue<Command.TaskReport> reports = new LinkedBlockingQueue<>();
    private final BlockingQueue<Command> ofTheNode = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> problems = new LinkedBlockingQueue<>();
    private NodeExecutor nodes;

    @BeforeEach
    void start() {
        handle(new Command.ApplyConfiguration(List.of(PartitionConfiguration.simplest())));
        register();
        nodes = open();
        nodes.recover(scheduler.state());
    }

    @AfterEach
    void end() {
        assertThat(nodes.stopAll()).isTrue();
        nodes.close();
    }

    private NodeExecutor open() {
        Path logs = folder.resolve("logs");
        RunnerPaths paths = new RunnerPaths(folder.resolve("runs"), work(), logs, folder.getFileName() + "-mark");
        ProcessSettings settings = ProcessSettings.detached(paths, new LogFolder(logs, true), 1 << 20, GRACE);
        return new NodeExecutor(
                NODE::equals,
                this::report,
                listener ->
                        new ProcessExecutor(settings, listener, (left, reason) -> problems.add(left + ": " + reason)),
                executor -> new NodeSuspension(
                        NODE,
                        executor::probe,
                        this::report,
                        reason -> problems.add(reason == null ? "none" : reason),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(1)));
    }

    private Path work() {
        return folder.resolve("work");
    }

    private void report(List<? extends Command> commands) {
        for (Command command : commands) {
            if (command instanceof Command.TaskReport report) {
                reports.add(report);
            } else {
                ofTheNode.add(command);
            }
        }
    }

    /** Simulates that the server is killed and restarted. */
    private void restart() {
        nodes.close();
        reports.clear();
        nodes = open();
        nodes.recover(scheduler.state());
    }

    private List<Event> handle(Command command) {
        CommandResult reply = scheduler.handle(command, NOW);
        assertThat(reply.refusal()).isNull();
        return reply.events();
    }

    private List<Event> register() {
        return handle(new Command.RegisterNode(PARTITION, NODE, Resources.of("slots", 1), new TreeMap<>()));
    }

    private void execute(List<Event> events) {
        nodes.execute(events.isEmpty() ? List.of() : List.of(new JournalEntry(Cause.CYCLE, events)), scheduler.state());
    }

    private void cycle() {
        execute(scheduler.cycle(PARTITION, NOW));
    }

    /** Submits a task that runs until a file named go exists, and executes {@code atTheEnd} when asked to stop. */
    private void submit(String atTheEnd) {
        String script = "trap '" + atTheEnd + "; echo end $SLUICE_ATTEMPT >>witness; exit 1' TERM;"
                + " echo start $SLUICE_ATTEMPT >>witness; while [ ! -e go ]; do sleep 0.01; done";
        handle(new Command.SubmitApplication(
                PARTITION,
                ApplicationSpec.open(
                        "a",
                        "root.default",
                        TaskSpec.single("t", Resources.NONE)
                                .withCommand(new TaskCommand(
                                        List.of(script), true, Collections.emptySortedMap(), folder.toString())))));
    }

    private List<String> witnessed() throws IOException {
        Path witness = folder.resolve("witness");
        return Files.exists(witness) ? Files.readAllLines(witness, UTF_8) : List.of();
    }

    private void awaitWitnessed(String... lines) {
        await().atMost(Duration.ofSeconds(30)).until(() -> witnessed().size() >= lines.length);
        await().untilAsserted(() -> assertThat(witnessed()).containsExactly(lines));
    }

    /** Returns the next report of this type, skipping others. */
    private <R extends Command.TaskReport> R next(Class<R> kind) throws InterruptedException {
        while (true) {
            Command.TaskReport report = reports.poll(30, TimeUnit.SECONDS);
            assertThat(report).as("a report").isNotNull();
            if (kind.isInstance(report)) {
                return kind.cast(report);
            }
        }
    }

    private static Command.ReportTaskLost lost(int attempt) {
        return new Command.ReportTaskLost(TaskRefs.run(PARTITION, "a", "t", attempt));
    }

    @Test
    void run_endedByTheScheduler_endsBeforeNextStarts() throws Exception {
        submit(":");
        cycle();
        awaitWitnessed("start 1");
        execute(handle(lost(1)));

        cycle();

        awaitWitnessed("start 1", "end 1", "start 2");
    }

    /** Reserves the node for a task and then ends its victims. */
    private List<Event> release() {
        List<Event> events = new ArrayList<>(List.of(
                new TaskEvent.Placed(TaskRefs.allocation(PARTITION, "a", "t", NODE, NOW), true),
                new TaskEvent.Released(TaskRefs.allocation(PARTITION, "a", "t", NODE, NOW), NOW)));
        scheduler.restore(events);
        return events;
    }

    private List<Event> releaseAndLose() {
        List<Event> events = release();
        events.addAll(handle(new Command.RemoveNode(PARTITION, NODE)));
        events.addAll(register());
        return events;
    }

    @Test
    void run_releasedAndEndedAtOnce_doesNotAffectNext() throws Exception {
        submit(":");
        List<Event> events = releaseAndLose();
        events.addAll(scheduler.cycle(PARTITION, NOW));

        execute(events);

        assertThat(next(Command.ReportTaskStarted.class).run().attempt()).isEqualTo(2);
        Files.createFile(folder.resolve("go"));
        assertThat(next(Command.ReportTaskSucceeded.class).run().attempt()).isEqualTo(2);
        assertThat(witnessed()).containsExactly("start 2");
    }

    @Test
    void run_releasedAndEndedAtOnce_doesNotStartReservedNext() {
        submit(":");
        List<Event> events = releaseAndLose();
        Event heldAnew = new TaskEvent.Placed(TaskRefs.allocation(PARTITION, "a", "t", NODE, NOW), true);
        scheduler.restore(List.of(heldAnew));
        events.add(heldAnew);

        execute(events);

        assertThat(nodes.running()).isZero();
    }

    @Test
    void run_releasedAndStoppedAtOnce_neverStarts() throws Exception {
        submit(":");
        List<Event> events = release();
        events.addAll(handle(new Command.StopTask(TaskRefs.task(PARTITION, "a", "t"))));

        execute(events);

        assertThat(next(Command.ReportTaskFailed.class).detail()).contains("stopped before it started");
        assertThat(witnessed()).isEmpty();
    }

    /** Root can write anywhere, but not below a path that is no directory. */
    @Test
    void node_unableToStartTasks_isSuspendedUntilAble() throws Exception {
        Path away = folder.resolve("away");
        Path runs = folder.resolve("runs");
        Files.move(runs, away);
        Files.createFile(runs);
        submit(":");

        cycle();

        assertThat(ofTheNode.poll(30, TimeUnit.SECONDS)).isEqualTo(new Command.SuspendNode(PARTITION, NODE));
        assertThat(reports.poll(30, TimeUnit.SECONDS))
                .isEqualTo(new Command.ReportTaskNotStarted(TaskRefs.run(PARTITION, "a", "t", 1)));
        assertThat(problems.poll(30, TimeUnit.SECONDS)).contains("runs");
        handle(new Command.SuspendNode(PARTITION, NODE));
        execute(handle(new Command.ReportTaskNotStarted(TaskRefs.run(PARTITION, "a", "t", 1))));
        await().untilAsserted(
                        () -> assertThat(nodes.running()).as("the failed run").isZero());
        cycle();
        assertThat(nodes.running()).as("nothing is placed on a suspended node").isZero();
        Files.delete(runs);
        Files.move(away, runs);
        assertThat(ofTheNode.poll(60, TimeUnit.SECONDS)).isEqualTo(new Command.ReportNodeReady(PARTITION, NODE));
        await().untilAsserted(() -> assertThat(problems).endsWith("none"));
        handle(new Command.ReportNodeReady(PARTITION, NODE));
        cycle();
        awaitWitnessed("start 2");
    }

    @Test
    void task_stoppingBeforeRestart_isStoppedAfter() throws Exception {
        submit(":");
        cycle();
        awaitWitnessed("start 1");
        assertThat(handle(new Command.StopTask(TaskRefs.task(PARTITION, "a", "t"))))
                .as("effects not carried out")
                .hasSize(1);

        restart();

        assertThat(next(Command.ReportTaskFailed.class).run().attempt()).isEqualTo(1);
        assertThat(witnessed()).containsExactly("start 1", "end 1");
    }

    @Test
    void task_suspended_makesNoProgressAcrossRestartUntilResumed() throws Exception {
        submit(":");
        cycle();
        awaitWitnessed("start 1");
        handle(next(Command.ReportTaskStarted.class));
        List<Event> suspended = handle(new Command.SuspendTasks(PARTITION, "a", List.of()));
        assertThat(suspended).hasAtLeastOneElementOfType(TaskEvent.Suspended.class);
        execute(suspended);
        await().until(() -> Files.exists(haltRecord(), LinkOption.NOFOLLOW_LINKS));

        restart();
        Files.createFile(folder.resolve("go"));
        handle(new Command.ResumeTasks(PARTITION, "a", List.of()));
        restart(); // before the resumption is carried out

        assertThat(next(Command.ReportTaskSucceeded.class).run().attempt()).isEqualTo(1);
        assertThat(haltRecord()).doesNotExist();
    }

    private Path haltRecord() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
            return runs.filter(Files::isDirectory).findFirst().orElseThrow().resolve("halted");
        }
    }

    @Test
    void run_endedForSchedulerBeforeRestart_isStopped() throws Exception {
        submit(":");
        cycle();
        awaitWitnessed("start 1");
        assertThat(handle(lost(1))).as("effects not carried out").isNotEmpty();

        restart();

        awaitWitnessed("start 1", "end 1");
        assertThat(reports).as("no report").isEmpty();
    }

    /** The run takes its time to end, unless the next one starts meanwhile. */
    @Test
    void run_endedForSchedulerBeforeRestart_endsBeforeNextStarts() throws Exception {
        submit("for i in 1 2 3 4 5 6 7 8; do sleep 0.1; grep -q \"start 2\" witness && break; done");
        cycle();
        awaitWitnessed("start 1");
        handle(new Command.RemoveNode(PARTITION, NODE));

        restart();
        execute(register());
        cycle();

        awaitWitnessed("start 1", "end 1", "start 2");
    }
}
