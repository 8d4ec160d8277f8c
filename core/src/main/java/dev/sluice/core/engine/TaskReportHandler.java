package dev.sluice.core.engine;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Handles reports about runs of tasks. */
final class TaskReportHandler {

    private final Emitter emitter;
    private final Lifecycle lifecycle;

    TaskReportHandler(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    @Nullable Refusal started(Task task, Instant now) {
        if (task.startedAt() != null || task.state() == TaskState.RUNNING) {
            return new Refusal(Refusal.Code.STALE, "stale report: task " + task.id() + " has already started");
        }
        emitter.emit(new TaskEvent.Started(task.allocation(), now));
        return null;
    }

    @Nullable Refusal ended(
            Partition partition,
            Task task,
            TaskOutcome outcome,
            @Nullable Integer exitCode,
            String detail,
            Instant now) {
        lifecycle.taskEnded(partition, task, outcome, exitCode, detail, now);
        return null;
    }

    @Nullable Refusal notStarted(Partition partition, Task task, Instant now) {
        boolean reserved = task.isReserved();
        lifecycle.stop(partition, task, StopReason.WITHDRAWN, now);
        if (!reserved) { // stopping a reserved task has already ended its run
            lifecycle.taskEnded(partition, task, TaskOutcome.STOPPED, null, "the node could not start the task", now);
        }
        return null;
    }
}
