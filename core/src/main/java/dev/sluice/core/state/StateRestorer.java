package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Builds the state of a partition, without events, from what no command can express: how far applications have come,
 * queues that placement rules created, and since when a queue must rebalance. All sums follow from the tasks.
 *
 * <p>Partition, nodes and applications must have been added by commands, and no task may have been allocated yet. The
 * methods throw {@link IllegalArgumentException} or {@link IllegalStateException} for impossible values; the state must
 * not be used after that.
 */
public final class StateRestorer {

    private final Partition partition;

    /** Creates a restorer for a partition; throws {@link IllegalStateException} if there is none of this name. */
    public StateRestorer(SchedulerState state, String partition) {
        this.partition = state.existing(partition);
    }

    /** Creates the missing queues of this path, as a placement rule does. */
    public void createQueue(String path, Instant at) {
        partition.createQueue(path, at);
    }

    /** Sets since when the spread below a queue that rebalances has exceeded its threshold. */
    public void setOverThreshold(String path, @Nullable Instant since) {
        partition.setOverThreshold(path, since);
    }

    /** Sets since when a queue has used more than its maximum. The allocated tasks must have been restored. */
    public void setOverMaximum(String path, Instant since) {
        partition.setOverMaximum(path, since);
    }

    /** Sets the last number of a name in numbered application ids. */
    public void setLastNumber(String name, long number) {
        partition.applications.setLastNumber(name, number);
    }

    /** Adds an application that has ended, without its queue and tasks, as the last one submitted. */
    public void addEnded(ApplicationSpec spec, Instant submitted, ApplicationState state, Instant since) {
        partition.applications.submit(spec.withoutTasks(), null, submitted, 0);
        partition.applications.setState(partition.existing(spec.id()), state, "", since);
    }

    /** Sets how far an application has come, all tasks of which are pending. {@link #finish} must follow. */
    public void restore(String application, ApplicationProgress progress) {
        partition.applications.restore(partition.existing(application), progress, partition.nodes);
    }

    /**
     * Must be called after the last application: brings the tasks on each node into the order of their allocation, and
     * releases reserved tasks for which nothing is being preempted, since nothing else would ever release them.
     *
     * @param placements the number of allocations ever made, more than the sequence number of any allocated task
     */
    public void finish(long placements) {
        partition.tasks.restore(placements);
        for (Node node : partition.nodes()) {
            node.orderByAllocation();
            partition.tasks.restoreEviction(node);
            for (Task task : node.reserved()) {
                if (!node.mustReserve(task.demand())) {
                    partition.tasks.release(task);
                }
            }
        }
        partition.changes().touchNodes();
        partition.changes().touchQueues();
    }
}
