package dev.sluice.runtime.local;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.Timer;
import dev.sluice.runtime.executor.Executor;
import dev.sluice.runtime.executor.ExecutorListener;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.executor.RunStart;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs applications on this machine to completion, without a server: the engine decides, processes execute the tasks,
 * and their ends are reported back to the engine.
 *
 * <p>{@link #run} does all work on the calling thread; only {@link #interrupt} may be called from other threads.
 */
public final class LocalRun {

    private final Scheduler scheduler = new Scheduler();
    private final ResultCollector results = new ResultCollector();
    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final Set<RunRef> active = new HashSet<>();
    private final Path logs;
    private final InstantSource clock;
    private final RunListener listener;
    private final Duration grace;
    private @Nullable Executor executor;
    private Instant now = Instant.MIN;
    private boolean interrupted;

    /** A message from another thread. */
    private sealed interface Message {

        record Report(RunRef run, Command.TaskReport command) implements Message {}

        /** Requests that everything stops. */
        record Interrupt() implements Message {}
    }

    /**
     * Creates a run.
     *
     * @param logs the directory of the log files
     * @param grace the time between SIGTERM and SIGKILL
     */
    public LocalRun(Path logs, Duration grace, InstantSource clock, RunListener listener) {
        this.logs = logs;
        this.clock = clock;
        this.listener = listener;
        this.grace = grace;
    }

    /**
     * Executes a command before the run starts, such as a configuration, a node or a submission. Returns the refusal,
     * or null.
     */
    public @Nullable Refusal prepare(Command command) {
        return handle(command);
    }

    /** Runs until every application has ended, no further progress is possible, or the run is interrupted. */
    public RunResult run() {
        List<String> stuck = List.of();
        try {
            while (true) {
                if (cycle()) {
                    receive(inbox.poll());
                    continue;
                }
                if (hasEnded()) {
                    break;
                }
                List<String> reasons = isStuck() ? whyStuck() : List.of();
                if (!reasons.isEmpty()) {
                    stuck = reasons;
                    cancelAll("no further progress possible");
                } else {
                    receive();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            interrupted = true;
        } finally {
            if (executor != null) {
                boolean unused = executor.stopAll();
                executor.close();
            }
        }
        return new RunResult(results.results(scheduler.state()), stuck, interrupted);
    }

    /**
     * Stops all tasks; {@link #run} returns when they have ended. Thread-safe; may be called before the run starts.
     */
    public void interrupt() {
        inbox.add(new Message.Interrupt());
    }

    /**
     * Runs one cycle of every partition; returns whether it decided anything, in which case another one may decide
     * more.
     */
    private boolean cycle() {
        boolean any = false;
        for (Partition partition : scheduler.state().partitions()) {
            List<Event> events = scheduler.cycle(partition.name(), tick());
            decided(events);
            any |= !events.isEmpty();
        }
        return any;
    }

    private @Nullable Refusal handle(Command command) {
        CommandResult reply = scheduler.handle(command, tick());
        decided(reply.events());
        return reply.refusal();
    }

    private void report(Command.TaskReport report) {
        Refusal refusal = handle(report);
        if (refusal != null) {
            throw new IllegalStateException("internal report refused: " + refusal);
        }
    }

    /** Updates and returns the current time, which never goes backwards. */
    private Instant tick() {
        Instant time = clock.instant();
        now = time.isAfter(now) ? time : now;
        return now;
    }

    private void decided(List<Event> events) {
        if (events.isEmpty()) {
            return;
        }
        results.collect(events, scheduler.state(), this::logOf);
        listener.decided(events, scheduler.state());
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                if (!placed.reserved()) {
                    start(placed);
                }
            } else if (event instanceof TaskEvent.Released released) {
                start(released);
            } else if (event instanceof TaskEvent.Stopping stopping) {
                stop(stopping);
            }
        }
    }

    private void start(TaskEvent event) {
        Task task = allocatedTask(event);
        if (task == null) {
            throw new IllegalStateException("no allocated task for " + event);
        }
        RunStart start = RunStart.of(event.partition(), task);
        if (start.command() == null) {
            throw new IllegalStateException("task has no command: " + start.run());
        }
        active.add(start.run());
        executor().start(start);
    }

    /** Stops the run of a task. A reserved task has none, and has already ended. */
    private void stop(TaskEvent.Stopping stopping) {
        Task task = allocatedTask(stopping);
        RunRef run =
                task == null ? null : RunStart.of(stopping.partition(), task).run();
        if (run != null && active.contains(run)) {
            executor().stop(run);
        }
    }

    private @Nullable Task allocatedTask(TaskEvent event) {
        Partition partition = scheduler.state().partition(event.partition());
        Application application = partition == null ? null : partition.application(event.application());
        var group = application == null ? null : application.group(event.task());
        return group == null ? null : group.placed(event.index());
    }

    private Executor executor() {
        if (executor == null) {
            executor = new ProcessExecutor(
                    ProcessSettings.attached(logs(), grace), new Reporter(), (folder, reason) -> {});
            executor.recover(List.of(), List.of());
        }
        return executor;
    }

    private LogFolder logs() {
        return new LogFolder(logs, scheduler.state().partitions().size() > 1);
    }

    private Path logOf(String partition, String application, String taskId) {
        return logs().file(partition, application, taskId);
    }

    /** Passes reports on to the thread of the run. */
    private final class Reporter implements ExecutorListener {

        @Override
        public void started(RunRef run) {
            TaskRef task = run.task();
            add(run, new Command.ReportTaskStarted(task.partition(), task.application(), task.id(), run.attempt()));
        }

        @Override
        public void ended(RunRef run, RunExit exit) {
            TaskRef task = run.task();
            if (exit.isSuccess()) {
                add(
                        run,
                        new Command.ReportTaskSucceeded(
                                task.partition(), task.application(), task.id(), run.attempt()));
            } else {
                failed(run, exit.code(), exit.message());
            }
        }

        /** Nothing is tried again because of this machine, which is the only one. */
        @Override
        public void lost(RunRef run, String reason) {
            failed(run, RunExit.KILLED, reason);
        }

        @Override
        public void notStarted(RunRef run, String reason) {
            failed(run, RunExit.NOT_EXECUTABLE, reason);
        }

        private void failed(RunRef run, int code, String detail) {
            TaskRef task = run.task();
            add(
                    run,
                    new Command.ReportTaskFailed(
                            task.partition(), task.application(), task.id(), run.attempt(), code, detail));
        }

        private void add(RunRef run, Command.TaskReport report) {
            inbox.add(new Message.Report(run, report));
        }
    }

    /** Waits for a message or a timer, and processes all pending messages. */
    private void receive() throws InterruptedException {
        Instant due = nextDue(timer -> true);
        receive(
                due == null
                        ? inbox.take()
                        : inbox.poll(Math.max(0, Duration.between(tick(), due).toMillis()) + 1, TimeUnit.MILLISECONDS));
    }

    /** Processes this message, if any, and all messages after it. */
    private void receive(@Nullable Message first) {
        for (Message message = first; message != null; message = inbox.poll()) {
            process(message);
        }
    }

    private void process(Message message) {
        if (message instanceof Message.Report report) {
            RunRef run = report.run();
            if (!(report.command() instanceof Command.ReportTaskStarted)) {
                active.remove(run);
                executor().forget(run);
            }
            report(report.command());
        } else if (!interrupted) {
            interrupted = true;
            cancelAll("interrupted");
        }
    }

    private void cancelAll(String reason) {
        for (Partition partition : scheduler.state().partitions()) {
            for (Application application : List.copyOf(partition.applications())) {
                if (!application.state().isEnded()) {
                    handle(new Command.CancelApplication(partition.name(), application.id(), reason));
                }
            }
        }
    }

    private boolean hasEnded() {
        return scheduler.state().partitions().stream()
                .flatMap(partition -> partition.applications().stream())
                .allMatch(application -> application.state().isEnded());
    }

    /**
     * Returns whether no process runs and no timer can help. Timers of queues are ignored, because rebalancing needs
     * running tasks.
     */
    private boolean isStuck() {
        return inbox.isEmpty() && active.isEmpty() && nextDue(timer -> !(timer.subject() instanceof Queue)) == null;
    }

    private List<String> whyStuck() {
        List<String> reasons = new ArrayList<>();
        for (Partition partition : scheduler.state().partitions()) {
            for (PendingSummary waiting : new Explainer(partition).explainAll()) {
                reasons.add(waiting.application().id() + ": "
                        + waiting.groups().get(0).spec().name()
                        + (waiting.tasks() > 1 ? " and others (" + waiting.tasks() + " tasks)" : "") + " cannot start: "
                        + waiting.reason().detail());
            }
        }
        return reasons;
    }

    /** Returns when the next matching timer is due, ignoring those of ended applications, or null. */
    private @Nullable Instant nextDue(Predicate<Timer> kind) {
        Instant next = null;
        for (Partition partition : scheduler.state().partitions()) {
            for (Timer timer : partition.timers()) {
                boolean ended = timer.subject() instanceof Application application
                        && application.state().isEnded();
                if (!ended && kind.test(timer)) {
                    next = next == null || timer.due().isBefore(next) ? timer.due() : next;
                    break;
                }
            }
        }
        return next;
    }
}
