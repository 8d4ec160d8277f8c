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
            state.configure(configuration);
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
            state.existing(partition).createQueue(path);
        }
    }

    /** A queue that drained, or that a placement rule had made, is empty and was taken out. */
    record QueueRemoved(String partition, String path, Instant at) implements PartitionEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).removeQueue(path);
        }
    }
}
