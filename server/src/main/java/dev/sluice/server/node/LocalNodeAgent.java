package dev.sluice.server.node;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.executor.Executor;
import dev.sluice.runtime.executor.ExecutorListener;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.executor.RunStart;
import dev.sluice.runtime.local.ProcessExecutor;
import dev.sluice.runtime.local.ProcessSettings;
import dev.sluice.runtime.loop.Effects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the tasks of the local node as processes of this machine: turns events into calls of an executor, and its
 * reports into commands.
 *
 * <p>Confined to the loop's thread, except for reports, which come from the executor's thread.
 */
public final class LocalNodeAgent implements Effects, AutoCloseable {

    private static final Duration PROBE_FIRST = Duration.ofSeconds(1);
    private static final Duration PROBE_LONGEST = Duration.ofMinutes(1);

    private final String name;
    private final NodeListener listener;
    private final Executor executor;
    private final StartProbe probe;

    /** The current run of each task, by position: events do not say which run they concern. */
    private final Map<TaskPosition, RunRef> activeRuns = new HashMap<>();

    private record TaskPosition(String partition, String application, String task, int position) {
        static TaskPosition of(TaskEvent event) {
            return new TaskPosition(event.partition(), event.application(), event.task(), event.index());
        }

        static TaskPosition of(TaskRef task) {
            return new TaskPosition(task.partition(), task.application(), task.task(), task.position());
        }
    }

    /**
     * Creates the agent of the nodes with this name in any partition.
     *
     * @param listener receives reports and problems
     */
    public LocalNodeAgent(String name, ProcessSettings settings, NodeListener listener) {
        this.name = name;
        this.listener = listener;
        this.executor = new ProcessExecutor(settings, new Reporter(), listener::notRemoved);
        this.probe = new StartProbe(name, executor::probe, listener, PROBE_FIRST, PROBE_LONGEST);
    }

    /** Returns whether this server runs the tasks of a node with this name, in any partition. */
    public boolean isLocal(String node) {
        return node.equals(name);
    }

    /** Returns the number of tasks running or about to start on this machine. */
    public int running() {
        return executor.unfinishedCount();
    }

    /** Adopts the runs of a previous server. Call before the loop starts. */
    public void recover(SchedulerState state) {
        List<RunStart> allocated = new ArrayList<>();
        List<RunRef> stopping = new ArrayList<>();
        List<ApplicationRef> active = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            for (Application application : partition.applications()) {
                if (!application.state().isEnded()) {
                    active.add(new ApplicationRef(partition.name(), application.id()));
                }
            }
            Node node = partition.node(name);
            for (Task task : node == null ? List.<Task>of() : node.tasks()) {
                if (task.state() != TaskState.RESERVED) {
                    RunStart start = RunStart.of(partition.name(), task);
                    allocated.add(start);
                    activeRuns.put(TaskPosition.of(start.run().task()), start.run());
                    if (isToStop(task)) {
                        stopping.add(start.run());
                    }
                }
            }
        }
        executor.recover(allocated, active);
        stopping.forEach(executor::stop);
    }

    /**
     * Handles ends before starts: if a task was to start, ended and was placed again, the state has only the last run,
     * and the ends concern earlier ones.
     */
    @Override
    public void execute(List<Event> events, SchedulerState state) {
        for (Event event : events) {
            if (event instanceof TaskEvent.Stopping stopping) {
                RunRef run = activeRuns.get(TaskPosition.of(stopping));
                if (run != null) {
                    executor.stop(run);
                }
            } else if (event instanceof TaskEvent.Ended ended) {
                RunRef run = activeRuns.remove(TaskPosition.of(ended));
                if (run != null) {
                    executor.forget(run);
                }
            } else if (event instanceof ApplicationEvent.StateChanged changed
                    && changed.to().isEnded()
                    && changed.to() != ApplicationState.EXPIRED) {
                executor.forget(new ApplicationRef(changed.partition(), changed.application()));
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
        TaskGroup group = application == null ? null : application.group(event.task());
        Task task = group == null ? null : group.placed(event.index());
        if (task == null
                || task.state() == TaskState.RESERVED
                || !isLocal(task.node().name())) {
            return;
        }
        RunStart start = RunStart.of(event.partition(), task);
        RunRef previous = activeRuns.put(TaskPosition.of(event), start.run());
        if (start.run().equals(previous)) {
            return;
        }
        if (previous != null) {
            executor.forget(previous);
        }
        if (isToStop(task)) {
            executor.stop(start.run());
        }
        executor.start(start);
    }

    private static boolean isToStop(Task task) {
        return task.state() == TaskState.STOPPING || task.state() == TaskState.PREEMPTING;
    }

    /** Reports status to the scheduler, which refuses stale reports. */
    private final class Reporter implements ExecutorListener {

        @Override
        public void started(RunRef run) {
            probe.started();
            TaskRef task = run.task();
            report(new Command.ReportTaskStarted(task.partition(), task.application(), task.id(), run.attempt()));
        }

        @Override
        public void ended(RunRef run, RunExit exit) {
            TaskRef task = run.task();
            report(
                    exit.isSuccess()
                            ? new Command.ReportTaskSucceeded(
                                    task.partition(), task.application(), task.id(), run.attempt())
                            : new Command.ReportTaskFailed(
                                    task.partition(),
                                    task.application(),
                                    task.id(),
                                    run.attempt(),
                                    exit.code(),
                                    exit.message()));
        }

        @Override
        public void lost(RunRef run, String reason) {
            TaskRef task = run.task();
            report(new Command.ReportTaskLost(task.partition(), task.application(), task.id(), run.attempt()));
        }

        @Override
        public void notStarted(RunRef run, String reason) {
            probe.notStarted(run, reason);
        }

        private void report(Command command) {
            listener.report(List.of(command));
        }
    }

    /**
     * Stops all tasks and waits until they have ended; nothing is started any more. The tasks are reported as lost, so
     * they run again.
     *
     * @return false if some could not be stopped
     */
    public boolean stopAll() {
        return executor.stopAll();
    }

    /** Leaves the tasks running; the next server adopts them. */
    @Override
    public void close() {
        probe.close();
        executor.close();
    }
}
