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
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.local.TaskRun;
import dev.sluice.runtime.loop.Effects;
import dev.sluice.runtime.process.LocalCommand;
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
 * Runs the tasks of the local node as processes of this machine: starts what is placed, stops what is to stop, and
 * reports status.
 *
 * <p>Confined to the loop's thread, except for reports, which come from the runner's threads.
 */
public final class LocalNodeAgent implements Effects, AutoCloseable {

    private static final Duration PROBE_FIRST = Duration.ofSeconds(1);
    private static final Duration PROBE_LONGEST = Duration.ofMinutes(1);

    /** Below this number of free bytes the logs' disk counts as nearly full. */
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

    /** A task, regardless of the run. */
    private record TaskKey(String partition, String application, String task, int index) {}

    /**
     * Creates the agent of the nodes with this name in any partition.
     *
     * @param paths the folders of the runner
     * @param logMax the maximum size of one log, in bytes
     * @param listener receives reports and problems
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

    /** Returns the free bytes of the logs' disk; the maximum value if unknown. */
    private long free() {
        try {
            return Files.getFileStore(logs.folder()).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Returns whether this server runs the tasks of a node with this name, in any partition. */
    public boolean isLocal(String node) {
        return node.equals(name);
    }

    /** Returns the number of tasks running or about to start on this machine. */
    public int running() {
        return runner.unfinishedCount();
    }

    /** Adopts the runs of a previous server. Call before the loop starts. */
    public void recover(SchedulerState state) {
        List<Task> stopping = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            Node node = partition.node(name);
            if (node == null) {
                continue;
            }
            for (Task task : node.tasks()) {
                if (task.state() != TaskState.RESERVED) {
                    activeRuns.put(taskKey(partition, task), key(partition, task));
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
     * Handles ends before starts: if a task was to start, ended and was placed again, the state has only the last run,
     * and the ends concern earlier ones.
     */
    @Override
    public void execute(List<Event> events, SchedulerState state) {
        for (Event event : events) {
            shared.onEvent(event);
            if (event instanceof TaskEvent.Stopping stopping) {
                RunKey key = activeRuns.get(taskKey(stopping));
                if (key != null) {
                    runner.stop(key);
                }
            } else if (event instanceof TaskEvent.Ended ended) {
                RunKey key = activeRuns.remove(taskKey(ended));
                if (key != null) {
                    runEnded(key);
                }
            }
        }
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                if (!placed.reserved() && isLocal(placed.node())) {
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
        TaskGroup group =
                application == null ? null : application.group(event.task().task());
        Task task = group == null ? null : group.placed(event.task().position());
        if (stoppingAll
                || partition == null
                || task == null
                || task.state() == TaskState.RESERVED
                || !isLocal(task.node().name())) {
            return;
        }
        RunKey key = key(partition, task);
        RunKey previous = activeRuns.put(taskKey(partition, task), key);
        if (key.equals(previous)) {
            return;
        }
        if (previous != null) {
            runEnded(previous);
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

    /**
     * Handles the end of a run for the scheduler: stops its processes; once they have ended the runner forgets the run.
     */
    private void runEnded(RunKey key) {
        if (endingRuns.endedByScheduler(key)) {
            runner.forget(key);
        } else {
            runner.stop(key);
        }
    }

    private static TaskKey taskKey(TaskEvent event) {
        return new TaskKey(
                event.partition(),
                event.application(),
                event.task().task(),
                event.task().position());
    }

    private static TaskKey taskKey(Partition partition, Task task) {
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

    /** Reports status to the scheduler, which refuses stale reports. */
    private final class Reporter implements DetachedRunListener {

        @Override
        public void started(RunKey key, long pid) {
            TaskRun run = key.run();
            probe.started();
            report(new Command.ReportTaskStarted(run.ref()));
        }

        @Override
        public void ended(RunKey key, RunExit exit) {
            if (stoppingAll && !exit.isSuccess()) {
                lost(key, null);
                return;
            }
            runEnded(key);
            TaskRun run = key.run();
            report(
                    exit.isSuccess()
                            ? new Command.ReportTaskSucceeded(run.ref())
                            : new Command.ReportTaskFailed(run.ref(), exit.code(), exit.message()));
        }

        @Override
        public void lost(RunKey key, @Nullable String reason) {
            runEnded(key);
            TaskRun run = key.run();
            report(new Command.ReportTaskLost(run.ref()));
        }

        @Override
        public void notStarted(RunKey key, String reason) {
            if (stoppingAll) {
                lost(key, null);
                return;
            }
            runEnded(key);
            probe.notStarted(key.run(), reason);
        }

        @Override
        public void notRemoved(Path folder, String reason) {
            listener.notRemoved(folder, reason);
        }

        private void report(Command command) {
            listener.report(List.of(command));
        }

        private void runEnded(RunKey key) {
            limiter.forget(key);
            if (endingRuns.processEnded(key)) {
                runner.forget(key);
            }
        }
    }

    /**
     * Stops all tasks and waits until they have ended; nothing is started any more. The tasks are reported as lost, so
     * they run again.
     *
     * @return false if some could not be stopped
     */
    public boolean stopAll() {
        stoppingAll = true;
        return runner.stopAll();
    }

    /** Leaves the tasks running; the next server adopts them. */
    @Override
    public void close() {
        probe.close();
        limiter.close();
        runner.close();
    }
}
