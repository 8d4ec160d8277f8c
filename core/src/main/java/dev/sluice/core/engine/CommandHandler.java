package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.DefaultResources;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.core.state.TaskPosition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles commands: validates each one against the state, then emits its events. */
final class CommandHandler {

    private final SchedulerState state;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final ClusterHandler cluster;
    private final SettingsHandler settings;
    private final SubmissionHandler submission;

    CommandHandler(SchedulerState state, Emitter emitter, Lifecycle lifecycle) {
        this.state = state;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.submission = new SubmissionHandler(emitter, lifecycle);
        this.cluster = new ClusterHandler(state, emitter, lifecycle);
        this.settings = new SettingsHandler(state, emitter);
    }

    /** Handles a command and returns why it was refused, or null if it was accepted. */
    @Nullable Refusal handle(Command command, Instant now) {
        if (command instanceof Command.ApplyConfiguration configuration) {
            return cluster.apply(configuration, now);
        }
        if (command instanceof Command.NodeCommand node) {
            return cluster.handle(node, now);
        }
        if (command instanceof Command.SettingCommand setting) {
            return settings.handle(setting, now);
        }
        if (command instanceof Command.SubmitApplication submitted) {
            Partition partition = state.partition(submitted.partition());
            return partition == null
                    ? notFound("partition " + submitted.partition(), "")
                    : submission.submit(partition, submitted.application(), now);
        }
        if (command instanceof Command.AdoptApplication adopted) {
            Partition partition = state.partition(adopted.partition());
            return partition == null
                    ? notFound("partition " + adopted.partition(), "")
                    : submission.adopt(partition, adopted.application(), now);
        }
        return handle((Command.ApplicationCommand) command, now);
    }

    private @Nullable Refusal handle(Command.ApplicationCommand command, Instant now) {
        Partition partition = state.partition(command.partition());
        if (partition == null) {
            return notFound("partition " + command.partition(), "");
        }
        Application application = partition.application(command.application());
        if (application == null) {
            return notFound("application " + command.application(), " in partition " + command.partition());
        }
        if (command instanceof Command.TaskReport report) {
            return report(partition, application, report, now);
        }
        if (command instanceof Command.ForgetApplication) {
            return forget(partition, application, now);
        }
        if (application.state().isEnded()) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "application " + application.id() + " has already ended ("
                            + application.state().wireName() + ")");
        }
        if (command instanceof Command.AddTasks addition) {
            return add(partition, application, addition.tasks(), now);
        }
        if (command instanceof Command.SealApplication) {
            if (!application.isSealed()) {
                emitter.emit(new ApplicationEvent.Sealed(partition.name(), application.id(), now));
                lifecycle.updateState(partition, application, now);
            }
            return null;
        }
        if (command instanceof Command.CancelApplication cancellation) {
            if (application.state() != ApplicationState.FAILING) {
                lifecycle.fail(partition, application, StopReason.CANCELLED, cancellation.reason(), now);
            }
            return null;
        }
        return stop(partition, application, (Command.StopTask) command, now);
    }

    private @Nullable Refusal forget(Partition partition, Application application, Instant now) {
        if (!application.state().isEnded()) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "application " + application.id() + " has not ended ("
                            + application.state().wireName() + "): only ended applications can be forgotten");
        }
        lifecycle.move(partition, application, ApplicationState.EXPIRED, "forgotten on request", now);
        return null;
    }

    private @Nullable Refusal add(Partition partition, Application application, List<TaskSpec> given, Instant now) {
        if (application.isSealed() || application.state() == ApplicationState.FAILING) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "cannot add tasks to application " + application.id() + ": it is "
                            + (application.isSealed() ? "sealed" : "failing"));
        }
        List<TaskSpec> tasks = DefaultResources.complete(given, partition.isWithoutCores());
        Refusal refusal = TaskValidator.validate(partition, application, tasks);
        if (refusal != null || tasks.isEmpty()) {
            return refusal;
        }
        int firstGroup = application.groups().size();
        List<TaskSpec> added = SubmissionHandler.inheriting(partition, application.spec(), tasks);
        emitter.emit(new ApplicationEvent.TasksAdded(partition.name(), application.id(), added, now));
        lifecycle.dropUnsatisfiable(partition, application, firstGroup, now);
        lifecycle.updateState(partition, application, now);
        return null;
    }

    private @Nullable Refusal stop(
            Partition partition, Application application, Command.StopTask command, Instant now) {
        TaskPosition position = application.find(command.task());
        if (position == null) {
            return notFound("task " + command.task(), " in application " + application.id());
        }
        TaskGroup group = position.group();
        Task task = group.placed(position.index());
        if (task != null) {
            lifecycle.stop(partition, task, StopReason.STOPPED, now);
        } else if (group.isUnallocated(position.index())) {
            emitter.emit(new TaskEvent.Dropped(
                    partition.name(), application.id(), group.name(), position.index(), "stopped", now));
            lifecycle.tasksGone(partition, group, now);
            lifecycle.updateState(partition, application, now);
        } else {
            return new Refusal(Refusal.Code.CONFLICT, "task " + command.task() + " has already ended");
        }
        return null;
    }

    private @Nullable Refusal report(
            Partition partition, Application application, Command.TaskReport report, Instant now) {
        TaskPosition position = application.find(report.task());
        if (position == null) {
            return notFound("task " + report.task(), " in application " + application.id());
        }
        Task task = position.group().placed(position.index());
        if (task == null || (report.attempt() != 0 && report.attempt() != task.attempt())) {
            return new Refusal(Refusal.Code.STALE, "stale report: this run of task " + report.task() + " has ended");
        }
        if (report instanceof Command.ReportTaskStarted) {
            if (task.startedAt() != null || task.state() == TaskState.RUNNING) {
                return new Refusal(Refusal.Code.STALE, "stale report: task " + report.task() + " has already started");
            }
            emitter.emit(new TaskEvent.Started(
                    partition.name(), application.id(), task.group().name(), task.index(), now));
        } else if (report instanceof Command.ReportTaskFailed failure) {
            lifecycle.taskEnded(partition, task, TaskOutcome.FAILED, failure.exitCode(), failure.detail(), now);
        } else if (report instanceof Command.ReportTaskSucceeded) {
            lifecycle.taskEnded(partition, task, TaskOutcome.SUCCEEDED, 0, "", now);
        } else if (report instanceof Command.ReportTaskNotStarted) {
            boolean reserved = task.isReserved();
            lifecycle.stop(partition, task, StopReason.WITHDRAWN, now);
            if (reserved) {
                return null; // stopping a reserved task has already ended its run
            }
            lifecycle.taskEnded(partition, task, TaskOutcome.STOPPED, null, "the node could not start the task", now);
        } else {
            lifecycle.taskEnded(partition, task, TaskOutcome.LOST, null, "", now);
        }
        return null;
    }

    private static Refusal notFound(String what, String where) {
        return new Refusal(Refusal.Code.NOT_FOUND, what + " not found" + where);
    }
}
