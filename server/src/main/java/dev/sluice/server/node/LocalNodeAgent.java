package dev.sluice.server.node;

import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.detached.DetachedRunListener;
import dev.sluice.runtime.detached.DetachedRunner;
import dev.sluice.runtime.detached.RunKey;
import dev.sluice.runtime.detached.RunnerPaths;
import dev.sluice.runtime.local.TaskRun;
import dev.sluice.runtime.loop.Effects;
import dev.sluice.runtime.process.LocalCommand;
import dev.sluice.runtime.process.ProcessExit;
import dev.sluice.server.routes.TaskLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The nodes whose tasks this server runs itself, as processes of this machine. What is placed there is started, what is to stop is
 * stopped, and what becomes of it is reported.
 *
 * <p>It belongs to the thread of the loop, but for the reports, which come from the runner's.
 */
public final class LocalNodeAgent implements Effects, AutoCloseable {

    private static final Duration PROBE_FIRST = Duration.ofSeconds(1);
    private static final Duration PROBE_LONGEST = Duration.ofMinutes(1);

    /** With fewer bytes free the disk of the logs is nearly full. */
    private static final long FREE_MIN = 8 << 20;

    private final String name;
    private final TaskLogs logs;
    private final NodeListener listener;
    private final DetachedRunner runner;
    private final SharedFolders shared;
    private final StartProbe probe;
    private final LogLimiter limiter;
    private final Map<TaskKey, RunKey> activeRuns = new LinkedHashMap<>();
    private final EndingRuns endingRuns = new EndingRuns();
    private volatile boolean stoppingAll;

    /** A task of a partition, whichever run of it. */
    private record TaskKey(String partition, String application, String task, int index) {}

    /**
     * The nodes of this name, in whatever partition.
     *
     * @param paths where the runner keeps what
     * @param logMax the most bytes of one log
     * @param listener takes what becomes of tasks
     */
    public LocalNodeAgent(
            String name, RunnerPaths paths, TaskLogs logs, long logMax, Duration grace, NodeListener listener) {
        this.name = name;
        this.logs = logs;
        this.listener = listener;
        this.runner = new DetachedRunner(paths, new Reporter(), grace);
        this.shared = new SharedFolders(paths.scratch().resolve("applications"), runner::remove);
        this.probe = new StartProbe(name, runner::probe, listener, PROBE_FIRST, PROBE_LONGEST);
        this.limiter = new LogLimiter(logs.folder(), logMax, this::free, FREE_MIN);
    }

    /** How many bytes are free on the disk of the logs; more than any where that cannot be said. */
    private long free() {
        try {
            return Files.getFileStore(logs.folder()).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Whether tasks on this node are run here. */
    public boolean isLocal(String partition, String node) {
        return node.equals(name);
    }

    /** How many tasks run here or are about to. */
    public int running() {
        return runner.unfinishedCount();
    }

    /** Takes up what an earlier server left, before the loop begins. */
    public void recover(SchedulerState state) {
        List<Task> stopping = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            Node node = partition.node(name);
            if (node == null) {
                continue;
            }
            for (Task task : node.tasks()) {
                if (task.state() != TaskState.RESERVED) {
                    activeRuns.put(place(partition, task), key(partition, task));
                    if (isToStop(task)) {
                        stopping.add(task);
                    }
                }
            }
        }
        activeRuns.values().forEach(key -> limiter.watch(key, log(key)));
        limiter.start();
        shared.recover(state);
        runner.recover(List.copyOf(activeRuns.values()));
        for (Partition partition : state.partitions()) {
            stopping.stream()
                    .filter(task -> partition.application(task.application().id()) == task.application())
                    .forEach(task -> runner.stop(key(partition, task)));
        }
    }

    /**
     * What ends is looked at before what begins: of a task that was to begin, was over and was placed anew the state knows only the last
     * run, which none of the ends before it is about.
     */
    @Override
    public void execute(List<Event> events, SchedulerState state) {
        for (Event event : events) {
            shared.take(event);
            if (event instanceof TaskEvent.Stopping stopping) {
                RunKey key = activeRuns.get(place(stopping));
                if (key != null) {
                    runner.stop(key);
                }
            } else if (event instanceof TaskEvent.Ended ended) {
                RunKey key = activeRuns.remove(place(ended));
                if (key != null) {
                    over(key);
                }
            }
        }
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                if (!placed.reserved() && isLocal(placed.partition(), placed.node())) {
                    start(placed, state);
                }
            } else if (event instanceof TaskEvent.Released released) {
                start(released, state);
            }
        }
    }

    private void start(TaskEvent event, SchedulerState state) {
        Partition partition = state.partition(event.partition());
        Application application = partition == null ? null : partition.application(event.application());
        TaskGroup group = application == null ? null : application.group(event.task());
        Task task = group == null ? null : group.placed(event.index());
        if (stoppingAll
                || partition == null
                || task == null
                || task.state() == TaskState.RESERVED
                || !isLocal(partition.name(), task.node().name())) {
            return;
        }
        RunKey key = key(partition, task);
        RunKey former = activeRuns.put(place(partition, task), key);
        if (key.equals(former)) {
            return;
        }
        if (former != null) {
            over(former);
        }
        if (isToStop(task)) {
            runner.stop(key);
        }
        TaskCommand command = task.group().kind().command();
        TaskRun run = key.run();
        Path folder = shared.of(run.partition(), run.application());
        LocalCommand local = command == null
                ? LocalCommand.shell("echo 'sluice: the task has no command' >&2; exit 127")
                : LocalCommand.of(command, variables(run, folder));
        Path log = log(key);
        limiter.watch(key, log);
        endingRuns.startAfterPredecessor(key, () -> runner.start(key, local, log, folder));
    }

    private static SortedMap<String, String> variables(TaskRun run, Path folder) {
        SortedMap<String, String> variables = run.variables();
        variables.put("SLUICE_RUN_DIRECTORY", folder.toString());
        return variables;
    }

    private Path log(RunKey key) {
        TaskRun run = key.run();
        return logs.file(run.partition(), run.application(), run.taskId());
    }

    private static boolean isToStop(Task task) {
        return task.state() == TaskState.STOPPING || task.state() == TaskState.PREEMPTING;
    }

    /** A run is over for the scheduler: nothing of it may go on, and once nothing does, what the runner knows of it is no longer needed. */
    private void over(RunKey key) {
        if (endingRuns.endedByScheduler(key)) {
            runner.forget(key);
        } else {
            runner.stop(key);
        }
    }

    private static TaskKey place(TaskEvent event) {
        return new TaskKey(event.partition(), event.application(), event.task(), event.index());
    }

    private static TaskKey place(Partition partition, Task task) {
        return new TaskKey(
                partition.name(), task.application().id(), task.group().name(), task.index());
    }

    private static RunKey key(Partition partition, Task task) {
        return new RunKey(
                new TaskRun(
                        partition.name(),
                        task.application().id(),
                        task.group().name(),
                        task.index(),
                        task.id(),
                        task.attempt()),
                task.sequence());
    }

    /** Tells the scheduler what becomes of runs; what it knows better by then it refuses. */
    private final class Reporter implements DetachedRunListener {

        @Override
        public void started(RunKey key, long pid) {
            TaskRun run = key.run();
            probe.started();
            report(new Command.ReportTaskStarted(run.partition(), run.application(), run.taskId(), run.attempt()));
        }

        @Override
        public void ended(RunKey key, ProcessExit exit) {
            if (stoppingAll && !exit.isSuccess()) {
                lost(key, null);
                return;
            }
            over(key);
            TaskRun run = key.run();
            report(
                    exit.isSuccess()
                            ? new Command.ReportTaskSucceeded(
                                    run.partition(), run.application(), run.taskId(), run.attempt())
                            : new Command.ReportTaskFailed(
                                    run.partition(),
                                    run.application(),
                                    run.taskId(),
                                    run.attempt(),
                                    exit.code(),
                                    exit.message()));
        }

        @Override
        public void lost(RunKey key, @Nullable String reason) {
            over(key);
            TaskRun run = key.run();
            report(new Command.ReportTaskLost(run.partition(), run.application(), run.taskId(), run.attempt()));
        }

        @Override
        public void notStarted(RunKey key, String reason) {
            if (stoppingAll) {
                lost(key, null);
                return;
            }
            over(key);
            probe.notStarted(key.run(), reason);
        }

        @Override
        public void notRemoved(Path folder, String reason) {
            listener.notRemoved(folder, reason);
        }

        private void report(Command command) {
            listener.report(List.of(command));
        }

        private void over(RunKey key) {
            limiter.forget(key);
            if (endingRuns.processEnded(key)) {
                runner.forget(key);
            }
        }
    }

    /**
     * Stops every task and waits until it is gone; false if something could not be ended. They are reported as lost, since nobody wanted them
     * to end, so they run again. Nothing is started any more.
     */
    public boolean stopAll() {
        stoppingAll = true;
        return runner.stopAll();
    }

    /** Leaves the tasks running, for the next server to find. */
    @Override
    public void close() {
        probe.close();
        limiter.close();
        runner.close();
    }
}
