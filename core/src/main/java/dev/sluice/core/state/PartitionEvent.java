package dev.sluice.core.state;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import java.time.Instant;

/** An event of a partition or its queues. */
public sealed interface PartitionEvent extends Event {

    /** A partition was created or reconfigured. Queues that the configuration no longer contains are draining. */
    record Configured(PartitionConfiguration configuration, Instant at) implements PartitionEvent {

        @Override
        public String partition() {
            return configuration.name();
        }

        @Override
        public void apply(SchedulerState state) {
            state.configure(configuration, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.partitionConfigured(this);
        }
    }

    /** An empty partition was removed. */
    record Removed(String partition, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.remove(partition);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.partitionRemoved(this);
        }
    }

    /** A placement rule created a queue, and the parents above it that did not exist. */
    record QueueCreated(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).createQueue(path, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.queueCreated(this);
        }
    }

    /**
     * The throttle changed.
     *
     * @param tasksMax the maximum number of allocated tasks, or {@link Partition#UNTHROTTLED}
     */
    record Throttled(String partition, int tasksMax, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).throttle(tasksMax);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.partitionThrottled(this);
        }
    }

    /** The seed of random draws changed. */
    record Seeded(String partition, long seed, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).seed(seed);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.partitionSeeded(this);
        }
    }

    /**
     * The usage priority of a queue below a {@code usage} parent was set.
     *
     * @param priority the usage priority, in cores, whatever the queue has used
     */
    record UsagePrioritySet(String partition, String path, double priority, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setUsagePriority(path, priority, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.usagePrioritySet(this);
        }
    }

    /** The spread of the load classes below a queue exceeded its threshold. */
    record SpreadExceeded(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setOverThreshold(path, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.spreadExceeded(this);
        }
    }

    /**
     * The spread has exceeded the threshold for the minimum duration: the queue rebalances as soon as there are tasks
     * to preempt.
     */
    record RebalanceDue(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setRebalanceDue(path);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.rebalanceDue(this);
        }
    }

    /** The spread of the load classes below a queue is within its threshold again. */
    record SpreadReturned(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setOverThreshold(path, null);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.spreadReturned(this);
        }
    }

    /**
     * A queue preempted tasks to rebalance. If the spread still exceeds the threshold, the minimum duration starts
     * again.
     */
    record Rebalanced(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setOverThreshold(path, null);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.rebalanced(this);
        }
    }

    /**
     * A queue was found to use more than its maximum, which was lowered: after its delay, tasks below it are preempted.
     */
    record MaximumExceeded(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setOverMaximum(path, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.maximumExceeded(this);
        }
    }

    /**
     * The quotas of a queue that a placement rule had created were set.
     *
     * @param guaranteed the guaranteed amount per resource type
     * @param max the maximum per resource type
     * @param maxApplications the maximum number of running applications; 0: unlimited
     */
    record QueueQuotasSet(
            String partition, String path, Resources guaranteed, Resources max, long maxApplications, Instant at)
            implements PartitionEvent {

        /** Throws {@link IllegalArgumentException} if the maximum number of applications is negative. */
        public QueueQuotasSet {
            if (maxApplications < 0) {
                throw new IllegalArgumentException(
                        "the maximum number of applications is negative: " + maxApplications);
            }
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setQueueQuotas(path, guaranteed, max, maxApplications);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.queueQuotasSet(this);
        }
    }

    /** An empty queue that was draining, or that a placement rule had created, was removed. */
    record QueueRemoved(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).removeQueue(path, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.queueRemoved(this);
        }
    }
}
