package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.DelayedTask;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEviction;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.Timer;
import java.time.Instant;

/**
 * Handles expired timers: task timeouts, retry delays, start times, gang timeouts and state timeouts of applications,
 * rebalancing delays, node timeouts and tasks that must leave a tainted node.
 */
final class Expiry {

    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final NodeLifecycle nodeLifecycle;

    Expiry(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.nodeLifecycle = new NodeLifecycle(emitter, lifecycle);
    }

    /** Handles every timer that is due by now, in the order of their due times. */
    void expireDue(Partition partition, Instant now) {
        for (Timer timer = partition.nextTimer();
                timer != null && !timer.due().isAfter(now);
                timer = partition.nextTimer()) {
            if (timer.subject() instanceof Task task) {
                lifecycle.stop(partition, task, StopReason.TIMEOUT, now);
            } else if (timer.subject() instanceof DelayedTask delayed) {
                emitter.emit(new TaskEvent.RetryDue(
                        delayed.ref(), delayed.group().application().origin(), now));
            } else if (timer.subject() instanceof Application application) {
                leaveState(partition, application, now);
            } else if (timer.subject() instanceof GangProgress gang) {
                lifecycle.gangs().timedOut(partition, gang, now);
            } else if (timer.subject() instanceof Queue queue) {
                emitter.emit(new PartitionEvent.RebalanceDue(partition.name(), queue.path(), now));
            } else if (timer.subject() instanceof NodeEviction eviction) {
                lifecycle.evict(partition, eviction, now);
            } else if (timer.subject() instanceof Node node) {
                nodeLifecycle.timerExpired(partition, node, now);
            } else {
                throw new IllegalStateException("unexpected timer of " + timer.subject());
            }
        }
    }

    private void leaveState(Partition partition, Application application, Instant now) {
        switch (application.state()) {
            case STARTING ->
                lifecycle.move(
                        partition,
                        application,
                        ApplicationState.RUNNING,
                        "starting timeout of " + SchedulerLimits.STARTING_MAX.toMinutes() + " minutes expired",
                        now);
            case COMPLETING -> lifecycle.move(partition, application, ApplicationState.COMPLETED, "", now);
            case REJECTED, COMPLETED, FAILED ->
                lifecycle.move(partition, application, ApplicationState.EXPIRED, "", now);
            case NEW, ACCEPTED ->
                emitter.emit(new ApplicationEvent.StartTimeReached(
                        partition.name(), application.id(), application.origin(), now));
            case RUNNING, FAILING, EXPIRED, RESUMING ->
                throw new IllegalStateException(application + " has a timer in state " + application.state());
        }
    }
}
