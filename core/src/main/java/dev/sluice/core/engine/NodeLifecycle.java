package dev.sluice.core.engine;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Derives the consequences for a node of health reports, expired timers and operator commands. */
final class NodeLifecycle {

    private final Emitter emitter;
    private final Lifecycle lifecycle;

    NodeLifecycle(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    /**
     * Applies a health report according to the transition table of {@link NodeHealth}; emits nothing if nothing
     * changes.
     */
    void report(Partition partition, Node node, NodeHealth report, Instant now) {
        NodeHealth next = node.health().after(report);
        NodeHealth to = next == NodeHealth.READY && node.isQuarantined(now) ? NodeHealth.FLAKY : next;
        Instant flakySince = report == NodeHealth.FLAKY ? now : to == NodeHealth.READY ? null : node.flakySince();
        if (to != node.health() || !Objects.equals(flakySince, node.flakySince())) {
            change(partition, node, to, flakySince, now);
        }
    }

    /**
     * Handles the end of the time that a node may stay in its health: a flaky node becomes ready, a lost one is
     * removed.
     */
    void timerExpired(Partition partition, Node node, Instant now) {
        switch (node.health()) {
            case FLAKY -> change(partition, node, NodeHealth.READY, null, now);
            case LOST ->
                remove(partition, node, "was lost for " + SchedulerLimits.LOST_MAX.toSeconds() + " seconds", now);
            case READY, SUSPENDED ->
                throw new IllegalStateException(node + " has a timer while it is " + node.health());
        }
    }

    /**
     * Removes a node: its reserved tasks become pending again, its other tasks are lost, both in the order of
     * allocation.
     *
     * @param what the reason, as a verb phrase for the detail of lost tasks
     */
    void remove(Partition partition, Node node, String what, Instant now) {
        lifecycle.withdrawReserved(partition, node, now);
        List<Task> tasks = new ArrayList<>(node.tasks());
        tasks.sort(Comparator.comparingLong(Task::sequence));
        for (Task task : tasks) {
            lifecycle.taskEnded(partition, task, TaskOutcome.LOST, null, "node " + node.name() + " " + what, now);
        }
        emitter.emit(new NodeEvent.Removed(partition.name(), node.name(), now));
    }

    /** Takes a node offline on request of an operator: running tasks finish, nothing new starts. */
    void takeOffline(Partition partition, Node node, Instant now) {
        emitter.emit(new NodeEvent.TakenOffline(partition.name(), node.name(), now));
        withdrawReservedUnlessReady(partition, node, now);
    }

    /** Withdraws reserved tasks from a node that is no longer ready, because they must not start there. */
    private void withdrawReservedUnlessReady(Partition partition, Node node, Instant now) {
        if (!node.isReady()) {
            lifecycle.withdrawReserved(partition, node, now);
        }
    }

    private void change(Partition partition, Node node, NodeHealth to, @Nullable Instant flakySince, Instant now) {
        emitter.emit(new NodeEvent.HealthChanged(partition.name(), node.name(), node.health(), to, flakySince, now));
        withdrawReservedUnlessReady(partition, node, now);
    }
}
