package dev.sluice.cli.plan;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotLoader;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.LoadWorkers;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** What the scheduler would do in a snapshot. */
public final class Plan {

    /** The reason of what no queue took, besides those of {@link dev.sluice.core.explain.WaitReason}. */
    private static final String REJECTED = "rejected";

    private final Instant at;
    private final List<Start> starts = new ArrayList<>();
    private final List<PlannedPreemption> preemptions = new ArrayList<>();
    private final List<QueueLine> queues = new ArrayList<>();
    private final List<LoadParent> loadParents = new ArrayList<>();
    private final List<UsageParent> usageParents = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private int partitions;

    /** A task that would start. */
    public record Start(String partition, String application, String task, String node, String queue) {}

    /** A task that would stop. */
    public record PlannedPreemption(String partition, String application, String task, String queue, String reason) {}

    /**
     * How a queue would stand after the cycle.
     *
     * @param depth how many queues are above it
     * @param policy the share policy of a parent, the sort policy of a leaf
     * @param allocated what it would have
     * @param pending what it would still ask for, once what it stops has ended
     * @param dominantShare its dominant share, if that is what its parent goes by
     * @param load what it was entitled to, if its parent goes by load; else null
     * @param usage what it was due, if its parent goes by usage; else null
     */
    public record QueueLine(
            String partition,
            String path,
            int depth,
            String policy,
            Resources allocated,
            Resources pending,
            long started,
            long preempted,
            OptionalDouble dominantShare,
            @Nullable LoadClassShare load,
            @Nullable UsageLine usage) {}

    /**
     * How a parent queue divides by load.
     *
     * @param workers how many workers it divided when the cycle began
     * @param idle how many of them were idle
     * @param classes its children, in the order of configuration
     */
    public record LoadParent(String partition, String path, int workers, int idle, List<LoadClassLine> classes) {}

    /**
     * How a class of a load parent stands.
     *
     * @param name the last part of its path
     * @param load what the policy worked out for it when the cycle began
     * @param placed how many of its tasks would start, which may be fewer or more than the policy meant
     */
    public record LoadClassLine(String name, LoadClassShare load, long placed) {}

    /**
     * How a parent queue divides by usage.
     *
     * @param halftime half-life of usage
     * @param children its children, in the order of configuration
     */
    public record UsageParent(String partition, String path, Duration halftime, List<UsageLine> children) {}

    /**
     * How a child of a usage parent stands.
     *
     * @param name the last part of its path
     * @param factor what its usage priority is multiplied with
     * @param figures what the policy worked out for it when the cycle began
     * @param slice how much of what was free it was due
     * @param placed how many of its tasks would start
     */
    public record UsageLine(String name, double factor, UsageFigures figures, Resources slice, long placed) {}

    /** Tasks of one application that would wait for one reason. */
    public record Wait(String partition, String application, long tasks, String reason, String detail) {}

    private static final class QueueCounts {
        private long started;
        private long preempted;
    }

    private Plan(Instant at) {
        this.at = at;
    }

    /**
     * The plan of one cycle of every partition.
     *
     * @throws dev.sluice.config.snapshot.SnapshotException if no scheduler can be in this snapshot
     */
    public static Plan of(Snapshot snapshot) {
        Scheduler scheduler = SnapshotLoader.load(snapshot);
        Plan plan = new Plan(snapshot.at());
        Map<String, Map<String, Long>> submitted = submittedTasks(snapshot);
        for (Partition partition : List.copyOf(scheduler.state().partitions())) {
            List<Event> events = scheduler.cycle(partition.name(), snapshot.at());
            plan.add(scheduler, partition, events, submitted.getOrDefault(partition.name(), Map.of()));
        }
        return plan;
    }

    /** How many tasks each application was submitted with: a scheduler forgets the tasks of what it rejects. */
    private static Map<String, Map<String, Long>> submittedTasks(Snapshot snapshot) {
        Map<String, Map<String, Long>> tasks = new HashMap<>();
        for (ApplicationEntry entry : snapshot.applications()) {
            long count =
                    entry.tasks().stream().mapToLong(task -> task.spec().size()).sum();
            tasks.computeIfAbsent(entry.partition(), key -> new HashMap<>()).put(entry.id(), count);
        }
        return tasks;
    }

    private void add(Scheduler scheduler, Partition partition, List<Event> events, Map<String, Long> submitted) {
        partitions++;
        Map<Queue, QueueCounts> counts = new HashMap<>();
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                Queue queue = queueOf(partition, placed);
                String task = taskId(partition, placed);
                starts.add(new Start(partition.name(), placed.application(), task, placed.node(), queue.path()));
                for (Queue above = queue; above != null; above = above.parent()) {
                    counts.computeIfAbsent(above, key -> new QueueCounts()).started++;
                }
            } else if (event instanceof TaskEvent.Stopping stopping) {
                Queue queue = queueOf(partition, stopping);
                String task = taskId(partition, stopping);
                String reason = stopping.reason().wireName();
                preemptions.add(
                        new PlannedPreemption(partition.name(), stopping.application(), task, queue.path(), reason));
                for (Queue above = queue; above != null; above = above.parent()) {
                    counts.computeIfAbsent(above, key -> new QueueCounts()).preempted++;
                }
            }
        }
        addQueues(scheduler, partition, counts);
        addLoadParents(scheduler, partition, counts);
        addUsageParents(scheduler, partition, counts);
        addWaits(partition, submitted);
    }

    private static Queue queueOf(Partition partition, TaskEvent event) {
        return partition.existing(event.application()).queue();
    }

    private static String taskId(Partition partition, TaskEvent event) {
        TaskGroup group = partition.existing(event.application()).group(event.task());
        if (group == null) {
            throw new IllegalStateException("no task " + event.task() + " in " + event.application());
        }
        return group.spec().taskId(event.index());
    }

    private void addQueues(Scheduler scheduler, Partition partition, Map<Queue, QueueCounts> counts) {
        Map<Queue, long[]> preempting = preempting(partition);
        for (Queue queue : partition.queues().all()) {
            QueueCounts of = counts.getOrDefault(queue, new QueueCounts());
            queues.add(new QueueLine(
                    partition.name(),
                    queue.path(),
                    depth(queue),
                    queue.isLeaf()
                            ? queue.sortPolicy().wireName()
                            : queue.sharePolicy().wireName(),
                    amounts(partition, queue.allocated()),
                    amounts(partition, pending(queue, preempting)),
                    of.started,
                    of.preempted,
                    dominantShare(partition, queue),
                    scheduler.loadOf(partition.name(), queue),
                    usage(scheduler, partition, queue, of)));
        }
    }

    private static @Nullable UsageLine usage(
            Scheduler scheduler, Partition partition, Queue queue, QueueCounts counts) {
        UsageFigures figures = scheduler.usageOf(partition.name(), queue);
        return figures == null
                ? null
                : new UsageLine(
                        queue.name(),
                        queue.configuration().properties().usage().factor(),
                        figures,
                        figures.slice(),
                        counts.started);
    }

    private void addLoadParents(Scheduler scheduler, Partition partition, Map<Queue, QueueCounts> counts) {
        for (Queue queue : partition.queues().all()) {
            LoadWorkers divided = scheduler.loadWorkersOf(partition.name(), queue);
            if (divided != null) {
                List<LoadClassLine> classes = new ArrayList<>();
                for (Queue child : queue.children()) {
                    LoadClassShare load = scheduler.loadOf(partition.name(), child);
                    if (load != null) {
                        long placed = counts.getOrDefault(child, new QueueCounts()).started;
                        classes.add(new LoadClassLine(child.name(), load, placed));
                    }
                }
                loadParents.add(
                        new LoadParent(partition.name(), queue.path(), divided.workers(), divided.idle(), classes));
            }
        }
    }

    private void addUsageParents(Scheduler scheduler, Partition partition, Map<Queue, QueueCounts> counts) {
        for (Queue queue : partition.queues().all()) {
            if (!queue.isLeaf() && queue.sharePolicy() == SharePolicyKind.USAGE) {
                List<UsageLine> children = new ArrayList<>();
                for (Queue child : queue.children()) {
                    UsageLine usage = usage(scheduler, partition, child, counts.getOrDefault(child, new QueueCounts()));
                    if (usage != null) {
                        children.add(usage);
                    }
                }
                Duration halftime = queue.configuration().properties().usage().halftime();
                usageParents.add(new UsageParent(partition.name(), queue.path(), halftime, children));
            }
        }
    }

    /** What stands on nodes below each queue to make way for others, as vectors: it runs again. */
    private static Map<Queue, long[]> preempting(Partition partition) {
        Map<Queue, long[]> preempting = new HashMap<>();
        if (partition.queues().root().preemptingTasks() > 0) {
            for (Node node : partition.nodes()) {
                for (Task task : node.tasks()) {
                    for (Queue queue = task.isPreempting() ? task.application().queue() : null;
                            queue != null;
                            queue = queue.parent()) {
                        preempting.merge(queue, task.demand(), (a, b) -> Vectors.sum(a, b, 1));
                    }
                }
            }
        }
        return preempting;
    }

    private static long[] pending(Queue queue, Map<Queue, long[]> preempting) {
        long[] returning = preempting.get(queue);
        return returning == null ? queue.pending() : Vectors.sum(queue.pending(), returning, 1);
    }

    private static int depth(Queue queue) {
        int depth = 0;
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            depth++;
        }
        return depth;
    }

    /** The amounts by type; without slots where nobody counts them. */
    private static Resources amounts(Partition partition, long[] vector) {
        long[] shown = vector.clone();
        if (!partition.countsSlots() && shown.length > 0) {
            shown[ResourceTypes.SLOTS_INDEX] = 0;
        }
        return partition.types().resources(shown);
    }

    private static OptionalDouble dominantShare(Partition partition, Queue queue) {
        Queue parent = queue.parent();
        return parent == null || parent.sharePolicy() == SharePolicyKind.FAIR
                ? OptionalDouble.of(DominantShare.largest(DominantShare.of(queue, partition)))
                : OptionalDouble.empty();
    }

    private void addWaits(Partition partition, Map<String, Long> submitted) {
        Explainer explainer = new Explainer(partition);
        for (Application application : partition.applications()) {
            String id = application.id();
            if (application.state() == ApplicationState.REJECTED) {
                long tasks = submitted.getOrDefault(id, application.tasks());
                waits.add(new Wait(partition.name(), id, tasks, REJECTED, application.stateReason()));
            } else if (application.unallocated() + application.preempting() > 0) {
                for (PendingSummary each : explainer.explain(application)) {
                    waits.add(new Wait(
                            partition.name(),
                            id,
                            each.tasks(),
                            each.reason().code(),
                            each.reason().detail()));
                }
            }
        }
    }

    /** The instant. */
    public Instant at() {
        return at;
    }

    /** How many partitions there are. */
    public int partitions() {
        return partitions;
    }

    /** What starts, in the order decided. */
    public List<Start> starts() {
        return starts;
    }

    /** What stops, in the order decided. */
    public List<PlannedPreemption> preemptions() {
        return preemptions;
    }

    /** The queues of every partition, each before the queues below it. */
    public List<QueueLine> queues() {
        return queues;
    }

    /** The queues that divide by load, in the order of {@link #queues}. */
    public List<LoadParent> loadParents() {
        return loadParents;
    }

    /** The queues that divide by usage, in the order of {@link #queues}. */
    public List<UsageParent> usageParents() {
        return usageParents;
    }

    /** What waits, in the order of submission. */
    public List<Wait> waits() {
        return waits;
    }
}
