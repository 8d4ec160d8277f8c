package dev.sluice.config.situation;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.explain.Looks;
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
 * Writes down what a scheduler knows as a situation, in which the next cycle starts and stops what it would there.
 *
 * <p>Applications that have ended are left out, since nothing more is decided about them; so are conditions of {@code after} that
 * are met, since they stay met. A node that tasks require but that is not there becomes one that is offline and has nothing.
 *
 * <p>Of a scheduler that must not stand still it is copied piece by piece, and yet is of one instant: whoever owns the scheduler passes on
 * each {@linkplain #happened event}, which updates what was copied before. So nothing is left to do when the last piece is copied. All of
 * this is for the thread that owns the scheduler; the situation is made of the copy on any thread.
 */
public final class SituationTaker {

    private final SchedulerState state;
    private final Map<String, PartitionTaker> takers = new HashMap<>();
    private final Deque<Partition> toCopy;
    private @Nullable PartitionTaker current;

    /** A taker that has copied nothing yet. */
    public SituationTaker(SchedulerState state) {
        this.state = state;
        this.toCopy = new ArrayDeque<>(state.partitions());
    }

    /** The situation at this instant, which is not before the last event. */
    public static Situation take(SchedulerState state, Instant at) {
        SituationTaker taker = new SituationTaker(state);
        if (!taker.look(Looks.unlimited())) {
            throw new IllegalStateException("an unlimited look was interrupted");
        }
        return taker.end(at).situation();
    }

    /** Takes note that something has happened; all events that are applied to the state between two looks, in order. */
    public void happened(Event event) {
        PartitionTaker taker = takers.get(event.partition());
        if (taker != null && taker.isOf(state.partition(event.partition()))) {
            taker.happened(event);
        }
    }

    /** Goes on, with one look for each node, application, group of tasks, task that holds a place and queue; returns whether all is copied as it is now. */
    public boolean look(Looks looks) {
        for (PartitionTaker taker = current(); taker != null; taker = current()) {
            if (taker.isOf(state.partition(taker.name())) && !taker.look(looks)) {
                return false;
            }
            current = null;
        }
        return true;
    }

    /** The partition to go on with, or null if all is copied. */
    private @Nullable PartitionTaker current() {
        PartitionTaker known = current;
        if (known != null) {
            return known;
        }
        Partition next = toCopy.poll();
        if (next != null) {
            current = begin(next);
            return current;
        }
        for (Partition partition : state.partitions()) {
            PartitionTaker taker = takers.get(partition.name());
            if (taker == null || !taker.isOf(partition)) {
                current = begin(partition);
                return current;
            }
            if (!taker.isComplete()) {
                current = taker;
                return taker;
            }
        }
        return null;
    }

    private PartitionTaker begin(Partition partition) {
        PartitionTaker taker = new PartitionTaker(partition);
        takers.put(partition.name(), taker);
        return taker;
    }

    /** What was copied, right after a look that returned true; this one may be told nothing more. */
    public Taken end(Instant at) {
        List<PartitionTaker.Copy> copies = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            PartitionTaker taker = takers.get(partition.name());
            if (taker == null || !taker.isOf(partition) || !taker.isComplete()) {
                throw new IllegalStateException("partition " + partition.name() + " is not copied yet");
            }
            copies.add(taker.end());
        }
        return new Taken(at, copies);
    }

    /** All that was copied, of one instant. */
    public static final class Taken {

        private final Instant at;
        private final List<PartitionTaker.Copy> copies;

        private Taken(Instant at, List<PartitionTaker.Copy> copies) {
            this.at = at;
            this.copies = copies;
        }

        /** It as a situation; for any thread, whatever the scheduler does meanwhile. */
        public Situation situation() {
            long seed = copies.isEmpty() ? 0 : copies.get(0).seed();
            List<PartitionConfiguration> partitions = new ArrayList<>();
            List<NodeEntry> nodes = new ArrayList<>();
            List<ApplicationEntry> applications = new ArrayList<>();
            List<QueueEntry> queues = new ArrayList<>();
            List<PartitionEntry> settings = new ArrayList<>();
            for (PartitionTaker.Copy copy : copies) {
                partitions.add(copy.configuration());
                copy.addTo(nodes, applications);
                copy.addQueuesTo(queues, at);
                PartitionEntry entry = copy.settings(seed);
                if (entry != null) {
                    settings.add(entry);
                }
            }
            return new Situation(at, seed, partitions, nodes, applications, queues, settings);
        }
    }
}
