package dev.sluice.core.engine;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles requests to suspend and resume tasks. */
final class SuspensionHandler {

    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final ApplicationHandler applications;

    SuspensionHandler(Emitter emitter, Lifecycle lifecycle, ApplicationHandler applications) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.applications = applications;
    }

    /** Suspends these tasks, or all without any; reserved tasks of a suspended application are pending again. */
    @Nullable Refusal suspend(Partition partition, Application application, List<TaskRef> refs, Instant now) {
        List<Task> tasks = new ArrayList<>();
        Refusal refusal = refs.isEmpty()
                ? applications.hold(partition, application, now)
                : find(application, refs, tasks, "suspended");
        if (refusal != null) {
            return refusal;
        }
        for (Task task : refs.isEmpty() ? bound(application) : tasks) {
            if (task.isReserved()) {
                lifecycle.stop(partition, task, StopReason.WITHDRAWN, now);
            } else if (isSuspendable(task)) {
                emitter.emit(new TaskEvent.Suspended(task.allocation(), now));
            }
        }
        return null;
    }

    /** Resumes these tasks, or all without any. */
    @Nullable Refusal resume(Partition partition, Application application, List<TaskRef> refs, Instant now) {
        List<Task> tasks = new ArrayList<>();
        Refusal refusal = refs.isEmpty()
                ? applications.release(partition, application, now)
                : find(application, refs, tasks, "resumed");
        if (refusal != null) {
            return refusal;
        }
        for (Task task : refs.isEmpty() ? bound(application) : tasks) {
            if (task.isSuspended()) {
                emitter.emit(new TaskEvent.Resumed(task.allocation(), now));
            }
        }
        return null;
    }

    private static List<Task> bound(Application application) {
        List<Task> tasks = new ArrayList<>(application.boundTasks());
        application.groups().forEach(group -> tasks.addAll(group.placed()));
        return tasks;
    }

    private static boolean isSuspendable(Task task) {
        return task.state() == TaskState.STARTING || task.state() == TaskState.RUNNING;
    }

    /** Finds the tasks; refuses if one does not exist or is neither suspended nor could be. */
    private static @Nullable Refusal find(Application application, List<TaskRef> refs, List<Task> found, String what) {
        for (TaskRef ref : refs) {
            TaskGroup group = application.groupOf(ref);
            if (group == null) {
                return CommandHandler.taskNotFound(ref);
            }
            Task task = group.placed(ref.position());
            if (task == null || (!task.isSuspended() && !isSuspendable(task))) {
                String state = task != null
                        ? "it is " + task.state().wireName()
                        : group.isUnallocated(ref.position()) ? "it is not running" : "it has already ended";
                return new Refusal(Refusal.Code.CONFLICT, "task " + ref.id() + " cannot be " + what + ": " + state);
            }
            found.add(task);
        }
        return null;
    }
}
