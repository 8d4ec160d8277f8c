package dev.sluice.core.engine;

import dev.sluice.core.state.Limits;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What follows for a node from what is heard of it, from time, and from its leaving. */
final class NodeLife {

    private final Emitter emitter;
    private final Lifecycle lifecycle;

    NodeLife(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    /** Goes by the table of {@link NodeHealth}; emits nothing if nothing changes. */
    void report(Partition partition, Node node, NodeHealth report, Instant now) {
        NodeHealth next = node.health().after(report);
        NodeHealth to = next == NodeHealth.READY && node.isSetAside(now) ? NodeHealth.FLAKY : next;
        Instant flakySince = report == NodeHealth.FLAKY ? now : to == NodeHealth.READY ? null : node.flakySince();
        if (to != node.health() || !Objects.equals(flakySince, node.flakySince())) {
            change(partition, node, to, flakySince, now);
        }
    }

    /** The longest stay of a node in its health is over. */
    void timeOver(Partition partition, Node node, Instant now) {
        switch (node.health()) {
            case FLAKY -> change(partition, node, NodeHealth.READY, null, now);
            case LOST ->
                remove(partition, node, "was not heard from for " + Limits.LOST_MAX.toSeconds() + " seconds", now);
            case READY, SUSPENDED ->
                throw new IllegalStateException(node + " has a timer while it is " + node.health());
        }
    }

    /** What runs there is lost first: what is held, lest it be released to start there, then the rest in the order of placement. */
    void remove(Partition partition, Node node, String what, Instant now) {
        List<Task> tasks = new ArrayList<>(node.tasks());
        tasks.sort(Comparator.comparing((Task task) -> !task.isHeld()).thenComparingLong(Task::sequence));
        for (Task task : tasks) {
            if (task.group().placed(task.index()) != task) {
                continue; // the loss of another one has ended its application, and what was held of it with it
            }
            lifecycle.taskEnded(partition, task, TaskOutcome.LOST, null, "node " + node.name() + " " + what, now);
        }
        emitter.emit(new NodeEvent.Removed(partition.name(), node.name(), now));
    }

    private void change(Partition partition, Node node, NodeHealth to, @Nullable Instant flakySince, Instant now) {
        emitter.emit(new NodeEvent.HealthChanged(partition.name(), node.name(), node.health(), to, flakySince, now));
        lifecycle.releaseHeld(partition, node, now);
    }
}
