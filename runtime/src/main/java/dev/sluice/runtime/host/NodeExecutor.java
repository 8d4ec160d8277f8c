package dev.sluice.runtime.host;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
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
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.executor.RunStart;
import dev.sluice.runtime.executor.TaskSignal;
import dev.sluice.runtime.journal.JournalEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An executor and the nodes whose tasks it runs: turns durable events into calls of the executor, and its reports into
 * commands.
 *
 * <p>Confined to the host's thread, except for reports, which come from the executor's thread.
 */
public final class NodeExecutor implements AutoCloseable {

    private final Predicate<String> nodes;
    private final Consumer<List<? extends Command>> commands;
    private final Executor executor;
    private final StartFailures failures;

    /** Starts, suspensions and resumptions to carry out after the ends. */
    private final List<TaskEvent.RunEvent> beginning = new ArrayList<>();

    /**
     * Creates an executor.
     *
     * @param nodes selects the nodes by name, in any partition
     * @param commands receives the reports, each list as one transaction
     * @param executor creates the executor with the listener of its reports
     * @param failures decides what happens when runs cannot be started
     */
    public NodeExecutor(
            Predicate<String> nodes,
            Consumer<List<? extends Command>> commands,
            Function<ExecutorListener, Executor> executor,
            Function<Executor, StartFailures> failures) {
        this.nodes = nodes;
        this.commands = commands;
        this.executor = executor.apply(new Reports());
        this.failures = failures.apply(this.executor);
    }

    /** Returns whether it runs the tasks of this node. */
    public boolean runs(String node) {
        return nodes.test(node);
    }

    /** Returns the number of tasks running or about to start. */
    public int running() {
        return executor.unfinishedCount();
    }

    /** Returns the GPUs that a run holds, by index; empty if none are known. */
    public List<Integer> gpus(RunRef run) {
        return executor.gpus(run);
    }

    /** Returns what a run has used, until its end is durable. */
    public MeasuredUse measured(RunRef run) {
        return executor.measured(run);
    }

    /** Sends a signal to a run; returns whether it has started and not ended, as far as known. */
    public boolean signal(RunRef run, TaskSignal signal) {
        return executor.signal(run, signal);
    }

    /** Adopts the runs of an earlier host. */
    void recover(SchedulerState state) {
        List<RunStart> allocated = new ArrayList<>();
        List<Task> recovered = new ArrayList<>();
        List<ApplicationRef> active = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            for (Application application : partition.applications()) {
                if (!application.state().isEnded()) {
                    active.add(new ApplicationRef(partition.name(), application.id()));
                }
            }
            for (Node node : partition.nodes()) {
                for (Task task : runs(node.name()) ? node.tasks() : List.<Task>of()) {
                    if (!task.isReserved()) {
                        allocated.add(RunStart.of(task));
                        recovered.add(task);
                    }
                }
            }
        }
        executor.recover(allocated, active);
        recovered.forEach(this::control);
    }

    /** Repeats the latest decision about a run, which may not have been carried out. */
    private void control(Task task) {
        if (isToStop(task)) {
            executor.stop(task.run());
        } else if (task.isSuspended()) {
            executor.suspend(task.run());
        } else {
            executor.resume(task.run());
        }
    }

    /**
     * Carries out what the events decided. Handles ends before starts: if a task was to start, ended and was placed
     * again, the state has only the last run, and the ends concern earlier ones.
     */
    void execute(List<JournalEntry> entries, SchedulerState state) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof TaskEvent.RunEvent of) {
                    end(of);
                } else if (event instanceof ApplicationEvent.StateChanged changed
                        && changed.to().isEnded()) {
                    end(changed);
                }
            }
        }
        for (TaskEvent.RunEvent event : beginning) {
            begin(event, state);
        }
        beginning.clear();
    }

    private void end(TaskEvent.RunEvent event) {
        if (event instanceof TaskEvent.Ended) {
            executor.forget(event.run());
        } else if (event instanceof TaskEvent.Stopping) {
            if (runs(event.node())) {
                executor.stop(event.run());
            }
        } else if (!(event instanceof TaskEvent.Started)) {
            beginning.add(event);
        }
    }

    private void end(ApplicationEvent.StateChanged change) {
        if (change.to() != ApplicationState.EXPIRED) {
            executor.forget(new ApplicationRef(change.partition(), change.application()));
        }
    }

    private void begin(TaskEvent.RunEvent event, SchedulerState state) {
        if (event instanceof TaskEvent.Suspended) {
            executor.suspend(event.run());
        } else if (event instanceof TaskEvent.Resumed) {
            executor.resume(event.run());
        } else if (!(event instanceof TaskEvent.Placed placed) || !placed.reserved()) {
            start(event, state);
        }
    }

    /** Starts a run, unless it has ended by now. */
    private void start(TaskEvent.RunEvent event, SchedulerState state) {
        if (!runs(event.node())) {
            return;
        }
        Partition partition = state.partition(event.partition());
        Application application = partition == null ? null : partition.application(event.application());
        TaskGroup group = application == null ? null : application.groupOf(event.task());
        Task task = group == null ? null : group.placed(event.task().position());
        if (task == null || task.isReserved() || task.attempt() != event.run().attempt()) {
            return;
        }
        if (isToStop(task)) {
            executor.stop(event.run());
        }
        executor.start(RunStart.of(event.run(), task));
    }

    private static boolean isToStop(Task task) {
        return task.state() == TaskState.STOPPING || task.state() == TaskState.PREEMPTING;
    }

    /** Turns reports into commands; the scheduler refuses stale ones. */
    private final class Reports implements ExecutorListener {

        @Override
        public void started(RunRef run) {
            failures.started();
            report(new Command.ReportTaskStarted(run));
        }

        @Override
        public void ended(RunRef run, RunExit exit) {
            report(
                    exit.isSuccess()
                            ? new Command.ReportTaskSucceeded(run)
                            : new Command.ReportTaskFailed(run, exit.code(), exit.message()));
        }

        @Override
        public void lost(RunRef run, String reason) {
            report(new Command.ReportTaskLost(run));
        }

        @Override
        public void notStarted(RunRef run, String reason) {
            failures.notStarted(run, reason);
        }

        private void report(Command command) {
            commands.accept(List.of(command));
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

    /** Releases the executor; the runs of a detached executor continue, and the next host adopts them. */
    @Override
    public void close() {
        failures.close();
        executor.close();
    }
}
