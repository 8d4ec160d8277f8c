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
 * Writes down what a scheduler knows as a snapshot, in which the next cycle starts and stops what it would there.
 *
 * <p>Applications that have ended are left out, since nothing more is decided about them; so are conditions of {@code after} that
 * are met, since they stay met. A node that tasks require but that is not there becomes one that is offline and has nothing.
 *
 * <p>Of a scheduler that must not stand still it is copied piece by piece, and yet is of one instant: whoever owns the scheduler passes on
 * each {@linkplain #onEvent event}, which updates what was copied before. So nothing is left to do when the last piece is copied. All of
 * this is for the thread that owns the scheduler; the snapshot is made of the copy on any thread.
 */
public final class SnapshotBuilder {

    private final SchedulerState state;
    private final Map<String, PartitionSnapshotBuilder> builders = new HashMap<>();
    private final Deque<Partition> toCopy;
    private @Nullable PartitionSnapshotBuilder current;

    /** A taker that has copied nothing yet. */
    public SnapshotBuilder(SchedulerState state) {
        this.state = state;
        this.toCopy = new ArrayDeque<>(state.partitions());
    }

    /** The snapshot at this instant, which is not before the last event. */
    public static Snapshot capture(SchedulerState state, Instant at) {
        SnapshotBuilder builder = new SnapshotBuilder(state);
        if (!builder.step(StepBudget.unlimited())) {
            throw new IllegalStateException("an unlimited look was interrupted");
        }
        return builder.finish(at).snapshot();
    }

    /** Takes note that something has happened; all events that are applied to the state between two looks, in order. */
    public void onEvent(Event event) {
        PartitionSnapshotBuilder builder = builders.get(event.partition());
        if (builder != null && builder.isOf(state.partition(event.partition()))) {
            builder.onEvent(event);
        }
    }

    /** Goes on, with one look for each node, application, group of tasks, task that holds a place and queue; returns whether all is copied as it is now. */
    public boolean step(StepBudget budget) {
        for (PartitionSnapshotBuilder builder = current(); builder != null; builder = current()) {
            if (builder.isOf(state.partition(builder.name())) && !builder.step(budget)) {
                return false;
            }
            current = null;
        }
        return true;
    }

    /** The partition to go on with, or null if all is copied. */
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

    /** What was copied, right after a look that returned true; this one may be told nothing more. */
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

    /** All that was copied, of one instant. */
    public static final class CapturedState {

        private final Instant at;
        private final List<PartitionSnapshotBuilder.Copy> copies;

        private CapturedState(Instant at, List<PartitionSnapshotBuilder.Copy> copies) {
            this.at = at;
            this.copies = copies;
        }

        /** It as a snapshot; for any thread, whatever the scheduler does meanwhile. */
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
