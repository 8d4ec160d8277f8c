package dev.sluice.core.state;

import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.SortedMap;

/** What happens to a node. */
public sealed interface NodeEvent extends Event {

    /** The node's name. */
    String node();

    /** A node joined the partition; it is ready. */
    record Registered(String partition, String node, Resources capacity, SortedMap<String, String> labels, Instant at)
            implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).registerNode(node, capacity, labels);
        }
    }

    /** A node has another capacity or other labels; what runs there goes on. */
    record Updated(String partition, String node, Resources capacity, SortedMap<String, String> labels, Instant at)
            implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).updateNode(node, capacity, labels);
        }
    }

    /** A node takes no more tasks; what runs there goes on. */
    record TakenOffline(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setNodeState(node, NodeState.OFFLINE);
        }
    }

    /** A node takes tasks again. */
    record Reinstated(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).setNodeState(node, NodeState.READY);
        }
    }

    /** A node left the partition; what ran there ended before. */
    record Removed(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).removeNode(node);
        }
    }
}
