package dev.sluice.core.engine;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.Locale;

/** Derives what happens to a gang that loses a member, or that does not start in time. */
final class GangLifecycle {

    private final Emitter emitter;
    private final Lifecycle lifecycle;

    GangLifecycle(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    /** Stops all members of a gang that must start again, after a task of this group has ended; returns whether. */
    boolean restart(Partition partition, TaskGroup ended, Instant now) {
        Application application = ended.application();
        GangProgress gang = application.gang();
        if (gang == null || !Lifecycle.hasStartedTasks(application) || !gang.mustRestart(ended)) {
            return false;
        }
        for (TaskGroup group : application.groups()) {
            for (Task task : group.placed()) {
                if (task.stopReason() == null) { // stopping an earlier task may have stopped this one, too
                    lifecycle.stop(partition, task, StopReason.GANG, now);
                }
            }
        }
        return true;
    }

    /** Schedules the tasks of a gang singly that has not started in time, or fails its application. */
    void timedOut(Partition partition, GangProgress gang, Instant now) {
        Application application = gang.application();
        emitter.emit(new ApplicationEvent.GangTimedOut(partition.name(), application.id(), application.origin(), now));
        if (gang.gang().style() == Gang.Style.HARD) {
            String timeout = gang.gang().timeout().toString().substring("PT".length());
            String reason = "its gang did not start within " + timeout.toLowerCase(Locale.ROOT);
            lifecycle.fail(partition, application, StopReason.CANCELLED, reason, now);
        }
    }
}
