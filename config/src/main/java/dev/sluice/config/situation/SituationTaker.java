package dev.sluice.config.situation;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes down what a scheduler knows as a situation, in which the next cycle starts and stops what it would there.
 *
 * <p>Applications that have ended are left out, since nothing more is decided about them; so are conditions of {@code after} that
 * are met, since they stay met. A node that tasks require but that is not there becomes one that is offline and has nothing.
 *
 * <p>Of a scheduler that must not stand still it is taken piece by piece, and yet is of one instant: whoever owns the scheduler tells of
 * each application to which something {@linkplain #changed happens} after it was taken, and it is taken again. All of this
 * is for the thread that owns the scheduler. Nothing is printed meanwhile: a situation shares specifications with the state, which never change.
 */
public final class SituationTaker {

    private final SchedulerState state;
    private final Map<String, Part> parts = new HashMap<>();

    /** A taker that has taken nothing yet; takes a moment even if there is much. */
    public SituationTaker(SchedulerState state) {
        this.state = state;
        state.partitions().forEach(partition -> parts.put(partition.name(), new Part(partition)));
    }

    /** The situation at this instant, which is not before the last event. */
    public static Situation take(SchedulerState state, Instant at) {
        return new SituationTaker(state).end(at).situation();
    }

    /** Takes note that something has happened to an application, whether or not it is there still. */
    public void changed(String partition, String application) {
        parts.computeIfAbsent(partition, name -> new Part()).changed.add(application);
    }

    /** Takes at most so many applications more; returns whether that was all of them, as they are now. */
    public boolean takeSome(int applications) {
        int left = applications;
        for (Partition partition : state.partitions()) {
            Part part = parts.get(partition.name());
            left = part == null ? left : part.take(partition, left);
        }
        return left > 0;
    }

    /** Takes what is left, and everything but applications. */
    public Taken end(Instant at) {
        takeSome(Integer.MAX_VALUE);
        long seed = state.partitions().isEmpty()
                ? 0
                : state.partitions().iterator().next().seed();
        List<PartitionConfiguration> partitions = new ArrayList<>();
        List<QueueEntry> queues = new ArrayList<>();
        List<PartitionEntry> settings = new ArrayList<>();
        List<TakenPartition> contents = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            partitions.add(partition.configuration());
            boolean throttled = partition.throttle() != Partition.UNTHROTTLED;
            boolean ownSeed = partition.seed() != seed;
            if (throttled || ownSeed) {
                settings.add(new PartitionEntry(
                        partition.name(), ownSeed ? partition.seed() : null, throttled ? partition.throttle() : null));
            }
            List<NodeEntry> nodes = new ArrayList<>();
            partition.nodes().forEach(node -> nodes.add(node(partition, node)));
            partition.queues().all().forEach(queue -> addQueue(partition, queue, at, queues));
            Part part = parts.get(partition.name());
            contents.add(new TakenPartition(
                    partition.name(),
                    nodes,
                    new ArrayList<>(partition.applications()),
                    part == null ? Map.of() : part.taken));
        }
        return new Taken(at, seed, partitions, contents, queues, settings);
    }

    /** All that was taken, of one instant. */
    public static final class Taken {

        private final Instant at;
        private final long seed;
        private final List<PartitionConfiguration> partitions;
        private final List<TakenPartition> contents;
        private final List<QueueEntry> queues;
        private final List<PartitionEntry> settings;

        private Taken(
                Instant at,
                long seed,
                List<PartitionConfiguration> partitions,
                List<TakenPartition> contents,
                List<QueueEntry> queues,
                List<PartitionEntry> settings) {
            this.at = at;
            this.seed = seed;
            this.partitions = partitions;
            this.contents = contents;
            this.queues = queues;
            this.settings = settings;
        }

        /** It as a situation; for any thread, whatever the scheduler does meanwhile. */
        public Situation situation() {
            List<NodeEntry> nodes = new ArrayList<>();
            List<ApplicationEntry> applications = new ArrayList<>();
            for (TakenPartition content : contents) {
                Set<String> known = new HashSet<>();
                content.nodes().forEach(node -> known.add(node.name()));
                nodes.addAll(content.nodes());
                Set<String> missing = new LinkedHashSet<>();
                for (Application application : content.order()) {
                    ApplicationEntry entry = content.taken().get(application.id());
                    if (entry != null) {
                        applications.add(entry);
                        addMissing(entry, known, missing);
                    }
                }
                missing.forEach(name -> nodes.add(missing(content.name(), name)));
            }
            return new Situation(at, seed, partitions, nodes, applications, queues, settings);
        }

        private static void addMissing(ApplicationEntry application, Set<String> known, Set<String> missing) {
            for (TaskEntry task : application.tasks()) {
                String required = task.spec().requiredNode();
                if (required != null && !known.contains(required)) {
                    missing.add(required);
                }
            }
        }
    }

    /**
     * What was taken of a partition.
     *
     * @param order its applications, in order, of which nothing but the ids may be looked at, since the rest may change meanwhile
     * @param taken what was taken of those that have not ended, by id
     */
    private record TakenPartition(
            String name, List<NodeEntry> nodes, List<Application> order, Map<String, ApplicationEntry> taken) {}

    /** What has been taken of the applications of a partition, and what has not. */
    private static final class Part {

        private final Map<String, ApplicationEntry> taken = new HashMap<>();
        private final Set<String> changed = new LinkedHashSet<>();
        private final Iterator<Application> first;

        /** Of a partition that has come since: everything in it is new. */
        Part() {
            first = Collections.emptyIterator();
        }

        Part(Partition partition) {
            first = new ArrayList<>(partition.applications()).iterator();
        }

        /** Takes at most so many; returns how many less it took. */
        int take(Partition partition, int atMost) {
            int left = atMost;
            for (; left > 0 && first.hasNext(); left--) {
                // one that is not there any more has changed
                take(partition, first.next());
            }
            for (Iterator<String> ids = changed.iterator(); left > 0 && ids.hasNext(); left--) {
                String id = ids.next();
                ids.remove();
                Application application = partition.application(id);
                if (application == null) {
                    taken.remove(id);
                } else {
                    take(partition, application);
                }
            }
            return left;
        }

        private void take(Partition partition, Application application) {
            if (application.state().isEnded()) {
                taken.remove(application.id());
            } else {
                taken.put(application.id(), ApplicationTaker.take(partition, application));
            }
        }
    }

    private static NodeEntry node(Partition partition, Node node) {
        Instant flaky = node.health() == NodeHealth.FLAKY ? node.flakySince() : null;
        return new NodeEntry(
                node.name(),
                TaskSpec.SINGLE,
                partition.name(),
                node.capacity(),
                node.labels(),
                node.health(),
                node.isOffline(),
                flaky == null ? node.healthSince() : flaky);
    }

    private static NodeEntry missing(String partition, String name) {
        return new NodeEntry(
                name,
                TaskSpec.SINGLE,
                partition,
                Resources.NONE,
                Collections.emptySortedMap(),
                NodeHealth.READY,
                true,
                null);
    }

    private static void addQueue(Partition partition, Queue queue, Instant at, List<QueueEntry> queues) {
        boolean counts = queue.usage() != null;
        Instant over = queue.overThresholdSince();
        // those that a rule has made are listed for their order, which no configuration tells
        if (counts || over != null || (queue.isDynamic() && queue.isLeaf())) {
            queues.add(new QueueEntry(
                    partition.name(), queue.path(), counts ? partition.usage().priority(queue, at) : null, over));
        }
    }
}
