package dev.sluice.config.snapshot;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Captures the state of a scheduler as a snapshot. The next cycle of the snapshot makes the same decisions as that of
 * the scheduler.
 *
 * <p>Applications that have ended are left out, since nothing more is decided about them; so are conditions of
 * {@code after} that are met, since they stay met. A node that tasks require but that does not exist becomes an offline
 * node without capacity.
 *
 * <p>The state of a scheduler that must not be blocked is copied in steps, and is still consistent: the owner of the
 * scheduler passes on each {@linkplain #onEvent event}, which updates the parts that are already copied. So nothing is
 * left to do when the last part is copied. All methods are for the thread that owns the scheduler; the snapshot is
 * created from the copy on any thread.
 */
public final class SnapshotBuilder {

    private final SchedulerState state;
    private final Map<String, PartitionSnapshotBuilder> builders = new HashMap<>();
    private final Deque<Partition> toCopy;
    private @Nullable PartitionSnapshotBuilder current;

    /** Creates a builder that has copied nothing yet. */
    public SnapshotBuilder(SchedulerState state) {
        this.state = state;
        this.toCopy = new ArrayDeque<>(state.partitions());
    }

    /** Returns the snapshot at this instant, which must not be before the last event. */
    public static Snapshot capture(SchedulerState state, Instant at) {
        SnapshotBuilder builder = new SnapshotBuilder(state);
        if (!builder.step(StepBudget.unlimited())) {
            throw new IllegalStateException("an unlimited step was interrupted");
        }
        return builder.finish(at).snapshot();
    }

    /** Updates the copy; must be called with every event that is applied to the state between two steps, in order. */
    public void onEvent(Event event) {
        PartitionSnapshotBuilder builder = builders.get(event.partition());
        if (builder != null && builder.isOf(state.partition(event.partition()))) {
            builder.onEvent(event);
        }
    }

    /**
     * Copies more within the budget; each node, application, group of tasks, allocated task and queue costs one unit.
     * Returns whether the copy is complete and up to date.
     */
    public boolean step(StepBudget budget) {
        for (PartitionSnapshotBuilder builder = current(); builder != null; builder = current()) {
            if (builder.isOf(state.partition(builder.name())) && !builder.step(budget)) {
                return false;
            }
            current = null;
        }
        return true;
    }

    /** Returns the partition to copy next, or null if all are copied. */
    private @Nullable PartitionSnapshotBuilder current() {
        PartitionSnapshotBuilder known = current;
        if (known != null) {
            return known;
        }
        Partition next = toCopy.poll();
        if (next != null) {
            current = begin(next);
            return current;
        }
        for (Partition partition : state.partitions()) {
            PartitionSnapshotBuilder builder = builders.get(partition.name());
            if (builder == null || !builder.isOf(partition)) {
                current = begin(partition);
                return current;
            }
            if (!builder.isComplete()) {
                current = builder;
                return builder;
            }
        }
        return null;
    }

    private PartitionSnapshotBuilder begin(Partition partition) {
        PartitionSnapshotBuilder builder = new PartitionSnapshotBuilder(partition);
        builders.put(partition.name(), builder);
        return builder;
    }

    /** Returns the copy, right after a step that returned true; this builder must not get any more events. */
    public CapturedState finish(Instant at) {
        List<PartitionSnapshotBuilder.Copy> copies = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            PartitionSnapshotBuilder builder = builders.get(partition.name());
            if (builder == null || !builder.isOf(partition) || !builder.isComplete()) {
                throw new IllegalStateException("partition " + partition.name() + " is not copied yet");
            }
            copies.add(builder.finish());
        }
        return new CapturedState(at, copies);
    }

    /** A complete copy of the state at one instant. */
    public static final class CapturedState {

        private final Instant at;
        private final List<PartitionSnapshotBuilder.Copy> copies;

        private CapturedState(Instant at, List<PartitionSnapshotBuilder.Copy> copies) {
            this.at = at;
            this.copies = copies;
        }

        /** Returns the copy as a snapshot; may be called on any thread while the scheduler continues. */
        public Snapshot snapshot() {
            long seed = copies.isEmpty() ? 0 : copies.get(0).seed();
            List<PartitionConfiguration> partitions = new ArrayList<>();
            List<NodeEntry> nodes = new ArrayList<>();
            List<ApplicationEntry> applications = new ArrayList<>();
            List<QueueEntry> queues = new ArrayList<>();
            List<PartitionEntry> settings = new ArrayList<>();
            for (PartitionSnapshotBuilder.Copy copy : copies) {
                partitions.add(copy.configuration());
                copy.addTo(nodes, applications);
                copy.addQueuesTo(queues, at);
                PartitionEntry entry = copy.settings(seed);
                if (entry != null) {
                    settings.add(entry);
                }
            }
            return new Snapshot(at, seed, partitions, nodes, applications, queues, settings);
        }
    }
}
