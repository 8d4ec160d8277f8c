package dev.sluice.core.state;

import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What happens to a node. */
public sealed interface NodeEvent extends Event {

    /** The node's name. */
    String node();

    /** A node joined the partition; it is ready. */
    record Registered(String partition, String node, Resources capacity, SortedMap<String, String> labels, Instant at)
            implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.register(node, capacity, labels, at);
        }
    }

    /** A node has another capacity or other labels; what runs there goes on. */
    record Updated(String partition, String node, Resources capacity, SortedMap<String, String> labels, Instant at)
            implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.update(node, capacity, labels, at);
        }
    }

    /** A person took a node out: it takes no more tasks, and what runs there goes on. */
    record TakenOffline(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.setOffline(node, true, at);
        }
    }

    /** A person let a node take tasks again; it does as soon as it is ready. */
    record Reinstated(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.setOffline(node, false, at);
        }
    }

    /**
     * A node went from one health to another, or was reported as flaky once more and stays what it was.
     *
     * @param flakySince since when it is set aside as flaky, as far as that may still count; null if it is ready
     */
    record HealthChanged(
            String partition,
            String node,
            NodeHealth from,
            NodeHealth to,
            @Nullable Instant flakySince,
            Instant at) implements NodeEvent {

        /** Refuses a flaky node that does not know since when, and a ready one that does. */
        public HealthChanged {
            if ((to == NodeHealth.FLAKY && flakySince == null) || (to == NodeHealth.READY && flakySince != null)) {
                throw new IllegalArgumentException(node + " cannot be " + to + " with flakySince " + flakySince);
            }
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.setHealth(this);
        }
    }

    /** A node left the partition; what ran there ended before. */
    record Removed(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.remove(node, at);
        }
    }
}
