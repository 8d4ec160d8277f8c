package dev.sluice.cli.plan;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotLoader;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.engine.QueueFigures;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.explain.WaitReason;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.LoadWorkers;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** The outcome of one scheduling cycle of a snapshot. */
public final class Plan {

    /** Reason of applications that no queue accepts; not part of {@link dev.sluice.core.explain.WaitReason}. */
    private static final String REJECTED = "rejected";

    private final Instant at;
    private final List<Start> starts = new ArrayList<>();
    private final List<PlannedPreemption> preemptions = new ArrayList<>();
    private final List<Reserved> reservations = new ArrayList<>();
    private final List<QueueLine> queues = new ArrayList<>();
    private final List<LoadParent> loadParents = new ArrayList<>();
    private final List<UsageParent> usageParents = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private int partitions;

    /** A task that would start. */
    public record Start(String partition, String application, String task, String node, String queue) {}

    /**
     * A task that would be preempted.
     *
     * @param node the node it runs on
     * @param beneficiary the task that takes its place, or null
     */
    public record PlannedPreemption(
            String partition,
            String application,
            String task,
            String queue,
            String node,
            String reason,
            @Nullable TaskRef beneficiary) {}

    /**
     * A pending task, or the first member of a gang, that nodes are reserved for after the cycle.
     *
     * @param tasks how many tasks they are reserved for: 1, or the members of the gang
     * @param nodes the names of the nodes, one for a single task
     * @param start when the tasks are expected to start there
     * @param delays how many times the start was put off
     */
    public record Reserved(
            String partition,
            String application,
            String task,
            int tasks,
            String queue,
            List<String> nodes,
            Instant start,
            int delays) {}

    /**
     * The state of a queue after the cycle.
     *
     * @param depth number of ancestors
     * @param policy share policy of a parent, sort policy of a leaf
     * @param allocated resources allocated after the cycle
     * @param pending resources requested once preempted tasks have ended
     * @param dominantShare dominant share, if the parent's share policy is fair
     * @param load entitlement, if the parent's share policy is load; else null
     * @param usage share, if the parent's share policy is usage; else null
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
     * A parent with share policy load.
     *
     * @param workers number of workers at the start of the cycle
     * @param idle number of idle workers
     * @param classes children in configuration order
     */
    public record LoadParent(String partition, String path, int workers, int idle, List<LoadClassLine> classes) {}

    /**
     * A class of a load parent.
     *
     * @param name last segment of the path
     * @param load shares at the start of the cycle
     * @param placed number of tasks that would start; differs from the budget if tasks do not fit
     */
    public record LoadClassLine(String name, LoadClassShare load, long placed) {}

    /**
     * A parent with share policy usage.
     *
     * @param halftime half-life of usage
     * @param children children in configuration order
     */
    public record UsageParent(String partition, String path, Duration halftime, List<UsageLine> children) {}

    /**
     * A child of a usage parent.
     *
     * @param name last segment of the path
     * @param factor factor of the usage priority
     * @param figures shares at the start of the cycle
     * @param slice share of the free capacity
     * @param placed number of tasks that would start
     */
    public record UsageLine(String name, double factor, UsageFigures figures, Resources slice, long placed) {}

    /**
     * Tasks of an application that wait for the same reason.
     *
     * @param never whether only a change of nodes or configuration can let them start
     * @param limit the limit of a user or group that is reached; null for other reasons
     * @param gang the gang that is incomplete; null for other reasons
     */
    public record Wait(
            String partition,
            String application,
            long tasks,
            String reason,
            String detail,
            boolean never,
            WaitReason.@Nullable LimitReached limit,
            WaitReason.@Nullable GangIncomplete gang) {}

    private static final class QueueCounts {
        private long started;
        private long preempted;
    }

    private Plan(Instant at) {
        this.at = at;
    }

    /**
     * Runs one cycle of every partition.
     *
     * @throws dev.sluice.config.snapshot.SnapshotException if the scheduler cannot be in this state
     */
    public static Plan of(Snapshot snapshot) {
        return of(SnapshotLoader.load(snapshot), snapshot.at(), snapshot.applications());
    }

    /**
     * Runs one cycle of every partition of a scheduler.
     *
     * @param applications what was submitted to it
     */
    public static Plan of(Scheduler scheduler, Instant at, List<ApplicationEntry> applications) {
        Plan plan = new Plan(at);
        Map<String, Map<String, Long>> submitted = submittedTasks(applications);
        for (Partition partition : List.copyOf(scheduler.state().partitions())) {
            List<Event> events = scheduler.cycle(partition.name(), at);
            plan.add(scheduler, partition, events, submitted.getOrDefault(partition.name(), Map.of()));
        }
        return plan;
    }

    /**
     * Returns the number of submitted tasks by application; the scheduler drops the tasks of rejected applications.
     */
    private static Map<String, Map<String, Long>> submittedTasks(List<ApplicationEntry> applications) {
        Map<String, Map<String, Long>> tasks = new HashMap<>();
        for (ApplicationEntry entry : applications) {
            long count =
                    entry.tasks().stream().mapToLong(task -> task.spec().size()).sum();
            tasks.computeIfAbsent(entry.partition(), key -> new HashMap<>()).put(entry.id(), count);
        }
        return tasks;
    }

    private void add(Scheduler scheduler, Partition partition, List<Event> events, Map<String, Long> submitted) {
        partitions++;
        Map<String, QueueCounts> counts = new HashMap<>();
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                String leaf = placed.origin().queue();
                starts.add(new Start(
                        partition.name(), placed.application(), placed.task().id(), placed.node(), leaf));
                placed.origin().queues().forEach(queue -> countsOf(queue, counts).started++);
            } else if (event instanceof TaskEvent.Stopping stopping) {
                String leaf = stopping.origin().queue();
                String reason = stopping.reason().wireName();
                preemptions.add(new PlannedPreemption(
                        partition.name(),
                        stopping.application(),
                        stopping.task().id(),
                        leaf,
                        stopping.node(),
                        reason,
                        stopping.beneficiary()));
                stopping.origin().queues().forEach(queue -> countsOf(queue, counts).preempted++);
            }
        }
        for (Reservation each : partition.reservations().all()) {
            reservations.add(new Reserved(
                    partition.name(),
                    each.task().application(),
                    each.task().id(),
                    tasksOf(partition, each),
                    each.queue(),
                    each.nodes(),
                    each.start(),
                    each.delays()));
        }
        addQueues(scheduler, partition, counts);
        addLoadParents(scheduler, partition, counts);
        addUsageParents(scheduler, partition, counts);
        addWaits(partition, submitted);
    }

    /** Returns the number of tasks that a reservation is for. */
    private static int tasksOf(Partition partition, Reservation reservation) {
        Application application = partition.application(reservation.task().application());
        GangProgress gang = application == null ? null : application.gang();
        return gang == null || !gang.isWaiting()
                ? 1
                : gang.members().stream().mapToInt(GangProgress.Members::count).sum();
    }

    private static QueueCounts countsOf(String queue, Map<String, QueueCounts> counts) {
        return counts.computeIfAbsent(queue, path -> new QueueCounts());
    }

    private void addQueues(Scheduler scheduler, Partition partition, Map<String, QueueCounts> counts) {
        Map<Queue, long[]> preempting = preempting(partition);
        for (Queue queue : partition.queues().all()) {
            QueueCounts of = countsOf(queue.path(), counts);
            QueueFigures figures = QueueFigures.of(scheduler, partition, queue, at);
            queues.add(new QueueLine(
                    partition.name(),
                    queue.path(),
                    figures.depth(),
                    figures.policy(),
                    figures.allocated(),
                    pending(partition, queue, preempting),
                    of.started,
                    of.preempted,
                    figures.dominantShare(),
                    figures.load(),
                    figures.usage() == null ? null : usage(queue, figures.usage(), of)));
        }
    }

    private static UsageLine usage(Queue queue, UsageFigures figures, QueueCounts counts) {
        return new UsageLine(
                queue.name(),
                queue.configuration().properties().usage().factor(),
                figures,
                figures.slice(),
                counts.started);
    }

    private void addLoadParents(Scheduler scheduler, Partition partition, Map<String, QueueCounts> counts) {
        for (Queue queue : partition.queues().all()) {
            if (scheduler.dividedBy(partition.name(), queue) instanceof LoadWorkers divided) {
                List<LoadClassLine> classes = new ArrayList<>();
                for (Queue child : queue.children()) {
                    if (scheduler.figuresOf(partition.name(), child, at) instanceof LoadClassShare load) {
                        long placed = countsOf(child.path(), counts).started;
                        classes.add(new LoadClassLine(child.name(), load, placed));
                    }
                }
                loadParents.add(
                        new LoadParent(partition.name(), queue.path(), divided.workers(), divided.idle(), classes));
            }
        }
    }

    private void addUsageParents(Scheduler scheduler, Partition partition, Map<String, QueueCounts> counts) {
        for (Queue queue : partition.queues().all()) {
            if (!queue.isLeaf() && queue.sharePolicy() == SharePolicyKind.USAGE) {
                List<UsageLine> children = new ArrayList<>();
                for (Queue child : queue.children()) {
                    if (scheduler.figuresOf(partition.name(), child, at) instanceof UsageFigures figures) {
                        children.add(usage(child, figures, countsOf(child.path(), counts)));
                    }
                }
                Duration halftime = queue.configuration().properties().usage().halftime();
                usageParents.add(new UsageParent(partition.name(), queue.path(), halftime, children));
            }
        }
    }

    /** Returns the allocation of preempted tasks by queue, as vectors; preempted tasks become pending again. */
    private static Map<Queue, long[]> preempting(Partition partition) {
        Map<Queue, long[]> preempting = new HashMap<>();
        if (partition.queues().root().preemptingTasks() > 0) {
            for (Node node : partition.nodes()) {
                for (Task task : node.tasks()) {
                    for (Queue queue = task.isPreempting() ? task.application().queue() : null;
                            queue != null;
                            queue = queue.parent()) {
                        long[] sum = preempting.computeIfAbsent(
                                queue, key -> new long[partition.types().size()]);
                        for (int type = 0; type < sum.length; type++) {
                            sum[type] += task.demand(type);
                        }
                    }
                }
            }
        }
        return preempting;
    }

    private static Resources pending(Partition partition, Queue queue, Map<Queue, long[]> preempting) {
        long[] returning = preempting.get(queue);
        return partition.amounts(returning == null ? queue::pending : type -> queue.pending(type) + returning[type]);
    }

    private void addWaits(Partition partition, Map<String, Long> submitted) {
        Explainer explainer = new Explainer(partition, at);
        for (Application application : partition.applications()) {
            String id = application.id();
            if (application.state() == ApplicationState.REJECTED) {
                long tasks = submitted.getOrDefault(id, application.tasks());
                waits.add(new Wait(partition.name(), id, tasks, REJECTED, application.stateReason(), true, null, null));
            } else if (application.unallocated() + application.preempting() > 0) {
                for (PendingSummary each : explainer.explain(application)) {
                    waits.add(new Wait(
                            partition.name(),
                            id,
                            each.tasks(),
                            each.reason().code(),
                            each.reason().detail(),
                            each.reason().isPermanent(),
                            each.reason() instanceof WaitReason.LimitReached reached ? reached : null,
                            each.reason() instanceof WaitReason.GangIncomplete gang ? gang : null));
                }
            }
        }
    }

    public Instant at() {
        return at;
    }

    public int partitions() {
        return partitions;
    }

    /** Returns started tasks in decision order. */
    public List<Start> starts() {
        return starts;
    }

    /** Returns preempted tasks in decision order. */
    public List<PlannedPreemption> preemptions() {
        return preemptions;
    }

    /** Returns what is reserved after the cycle, in the order in which the reservations were made. */
    public List<Reserved> reservations() {
        return reservations;
    }

    /** Returns the queues of every partition, parents before children. */
    public List<QueueLine> queues() {
        return queues;
    }

    /** Returns parents with share policy load, in the order of {@link #queues}. */
    public List<LoadParent> loadParents() {
        return loadParents;
    }

    /** Returns parents with share policy usage, in the order of {@link #queues}. */
    public List<UsageParent> usageParents() {
        return usageParents;
    }

    /** Returns waiting tasks by reason, in submission order. */
    public List<Wait> waits() {
        return waits;
    }
}
