package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.DefaultResources;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles requests about an existing application and its tasks. */
final class ApplicationHandler {

    private final Emitter emitter;
    private final Lifecycle lifecycle;

    ApplicationHandler(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    @Nullable Refusal add(Partition partition, Application application, List<TaskSpec> given, Instant now) {
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
        emitter.emit(
                new ApplicationEvent.TasksAdded(partition.name(), application.id(), application.origin(), added, now));
        lifecycle.dropUnsatisfiable(partition, application, firstGroup, now);
        lifecycle.updateState(partition, application, now);
        return null;
    }

    @Nullable Refusal seal(Partition partition, Application application, Instant now) {
        if (!application.isSealed()) {
            emitter.emit(new ApplicationEvent.Sealed(partition.name(), application.id(), application.origin(), now));
            lifecycle.updateState(partition, application, now);
        }
        return null;
    }

    @Nullable Refusal hold(Partition partition, Application application, Instant now) {
        if (application.state() == ApplicationState.FAILING) {
            return new Refusal(
                    Refusal.Code.CONFLICT, "cannot hold application " + application.id() + ": it is failing");
        }
        if (!application.isHeld()) {
            emitter.emit(new ApplicationEvent.Held(partition.name(), application.id(), application.origin(), now));
        }
        return null;
    }

    @Nullable Refusal release(Partition partition, Application application, Instant now) {
        if (application.isHeld()) {
            emitter.emit(
                    new ApplicationEvent.HoldReleased(partition.name(), application.id(), application.origin(), now));
        }
        return null;
    }

    @Nullable Refusal cancel(Partition partition, Application application, String reason, Instant now) {
        if (application.state() != ApplicationState.FAILING) {
            lifecycle.fail(partition, application, StopReason.CANCELLED, reason, now);
        }
        return null;
    }

    @Nullable Refusal forget(Partition partition, Application application, Instant now) {
        if (!application.state().isEnded()) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "application " + application.id() + " has not ended ("
                            + application.state().wireName() + "): only ended applications can be forgotten");
        }
        lifecycle.move(partition, application, ApplicationState.EXPIRED, "forgotten on request", now);
        return null;
    }

    @Nullable Refusal stop(Partition partition, TaskGroup group, TaskRef ref, Instant now) {
        Task task = group.placed(ref.position());
        if (task != null) {
            lifecycle.stop(partition, task, StopReason.STOPPED, now);
        } else if (group.isUnallocated(ref.position())) {
            Application application = group.application();
            emitter.emit(new TaskEvent.Dropped(ref, application.origin(), "stopped", now));
            lifecycle.tasksGone(partition, group, now);
            lifecycle.updateState(partition, application, now);
        } else {
            return new Refusal(Refusal.Code.CONFLICT, "task " + ref.id() + " has already ended");
        }
        return null;
    }
}
