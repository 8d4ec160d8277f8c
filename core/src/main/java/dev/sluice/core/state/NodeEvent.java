package dev.sluice.core.state;

import dev.sluice.core.application.Taint;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** An event of a node. */
public sealed interface NodeEvent extends Event {

    String node();

    /** A node joined the partition; it is ready. */
    record Registered(String partition, String node, Resources capacity, SortedMap<String, String> labels, Instant at)
            implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.register(node, capacity, labels, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.nodeRegistered(this);
        }
    }

    /** The capacity or labels of a node changed; running tasks are unaffected. */
    record Updated(String partition, String node, Resources capacity, SortedMap<String, String> labels, Instant at)
            implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.update(node, capacity, labels, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.nodeUpdated(this);
        }
    }

    /**
     * The taints of a node changed.
     *
     * @param taints all taints that it has now, those with the effect {@code NoExecute} with the time since when
     */
    record Tainted(String partition, String node, List<Taint> taints, Instant at) implements NodeEvent {

        public Tainted {
            taints = List.copyOf(taints);
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.taint(node, taints, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.nodeTainted(this);
        }
    }

    /** An operator took a node offline: nothing new starts, running tasks are unaffected. */
    record TakenOffline(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.setOffline(node, true, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.nodeTakenOffline(this);
        }
    }

    /** An operator reinstated a node: it accepts tasks again as soon as it is ready. */
    record Reinstated(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.setOffline(node, false, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.nodeReinstated(this);
        }
    }

    /**
     * The health of a node changed, or it was reported as flaky again without a change of its health.
     *
     * @param flakySince when it was last reported as flaky, as long as that may still matter; null if it is ready
     */
    record HealthChanged(
            String partition,
            String node,
            NodeHealth from,
            NodeHealth to,
            @Nullable Instant flakySince,
            Instant at) implements NodeEvent {

        /** Checks that a flaky node has {@code flakySince} and a ready one does not. */
        public HealthChanged {
            if ((to == NodeHealth.FLAKY && flakySince == null) || (to == NodeHealth.READY && flakySince != null)) {
                throw new IllegalArgumentException(node + " cannot be " + to + " with flakySince " + flakySince);
            }
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.setHealth(this);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.nodeHealthChanged(this);
        }
    }

    /** A node left the partition; its tasks ended before. */
    record Removed(String partition, String node, Instant at) implements NodeEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).nodes.remove(node, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.nodeRemoved(this);
        }
    }
}
