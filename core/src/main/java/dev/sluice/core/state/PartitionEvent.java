package dev.sluice.core.state;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;

/** What happens to a partition and its queues. */
public sealed interface PartitionEvent extends Event {

    /** A partition was made, or given another configuration; queues that vanish from it drain first. */
    record Configured(PartitionConfiguration configuration, Instant at) implements PartitionEvent {

        @Override
        public String partition() {
            return configuration.name();
        }

        @Override
        public void apply(SchedulerState state) {
            state.configure(configuration, at);
        }
    }

    /** An empty partition was taken out. */
    record Removed(String partition, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.remove(partition);
        }
    }

    /** A placement rule made a queue, and the parents above it that did not exist. */
    record QueueCreated(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).createQueue(path, at);
        }
    }

    /**
     * No more tasks may hold a place at once than this.
     *
     * @param tasksMax how many; {@link Partition#UNTHROTTLED}: as many as fit
     */
    record Throttled(String partition, int tasksMax, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).throttle(tasksMax);
        }
    }

    /** Lots are drawn with another seed from now on. */
    record Seeded(String partition, long seed, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).seed(seed);
        }
    }

    /** A queue below a parent that shares by usage has this usage priority now, in cores, whatever it has used. */
    record UsagePrioritySet(String partition, String path, double priority, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setUsagePriority(path, priority, at);
        }
    }

    /** The classes below a queue came to be further apart from their loads than its threshold allows. */
    record SpreadExceeded(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setOverThreshold(path, at);
        }
    }

    /** The classes below a queue have been too far apart for long enough: it rebalances as soon as there is something to stop. */
    record RebalanceDue(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setRebalanceDue(path);
        }
    }

    /** The classes below a queue are within its threshold again. */
    record SpreadReturned(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setOverThreshold(path, null);
        }
    }

    /** A queue stopped tasks to rebalance; the time for which its classes may be too far apart begins anew if they still are. */
    record Rebalanced(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setOverThreshold(path, null);
        }
    }

    /** A queue that drained, or that a placement rule had made, is empty and was taken out. */
    record QueueRemoved(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).removeQueue(path, at);
        }
    }
}
