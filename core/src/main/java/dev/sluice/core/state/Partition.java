package dev.sluice.core.state;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueAccess;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A partition: nodes and a queue tree that are scheduled together, and the applications in them.
 *
 * <p>Code outside this package only reads it; applying events changes it. This class applies the events of the
 * partition and its queues. {@code Nodes}, {@code Applications} and {@code Tasks} apply those of nodes, applications
 * and tasks.
 */
public final class Partition {

    /** The throttle of a partition that runs as many tasks as fit. */
    public static final int UNTHROTTLED = -1;

    private final String name;
    private final ResourceTypes types = new ResourceTypes();
    private final QueueTree queues;
    private final Timers timers = new Timers();
    private final Changes changes = new Changes();
    private final DurationHistory durations = new DurationHistory(SchedulerLimits.DURATION_KEYS_MAX);
    private final NodeTotals totals = new NodeTotals();
    private final Usage usage = new Usage(types, totals, SchedulerLimits.REMOVED_QUEUES_MAX);
    private final Demand demand = new Demand(types, changes, timers);
    private final Reservations reservations = new Reservations();
    private PartitionConfiguration configuration;
    private QueueAccess access;
    private int throttle = UNTHROTTLED;
    private long seed;

    // apply the events of nodes, applications and tasks
    final Nodes nodes = new Nodes(types, totals, usage, timers, changes);
    final Applications applications;
    final Tasks tasks = new Tasks(usage, demand, durations, timers, changes, reservations);

    /** Creates a new partition. */
    Partition(PartitionConfiguration configuration, Instant at) {
        this(configuration);
        queues.configure(configuration);
        queues.resetLimits();
        usage.count(queues, at);
    }

    /** Creates a partition that contains only the root queue. */
    private Partition(PartitionConfiguration configuration) {
        this.name = configuration.name();
        this.configuration = configuration;
        this.access = QueueAccess.of(configuration);
        this.queues = new QueueTree(this, configuration);
        this.applications = new Applications(name, queues, demand, durations, timers, changes);
    }

    void writeTo(StateSink sink) {
        PartitionCheckpointWriter out = new PartitionCheckpointWriter(sink);
        sink.configuration(configuration);
        sink.number(types.size());
        for (int type = 0; type < types.size(); type++) {
            sink.text(types.name(type));
        }
        sink.number(throttle);
        sink.number(seed);
        tasks.writeTo(out);
        durations.writeTo(out);
        nodes.writeTo(out);
        new QueueCheckpoint(this).writeTo(out);
        usage.writeTo(out);
        applications.writeTo(out);
        reservations.writeTo(out);
    }

    static Partition readFrom(StateSource source, long version) {
        Partition partition = new Partition(source.configuration());
        PartitionCheckpointReader in = new PartitionCheckpointReader(source, version, partition.timers);
        int types = in.count();
        for (int type = 0; type < types; type++) {
            // first of all, because everything else that names types would number them in another order
            partition.types.index(source.text());
        }
        partition.throttle = in.number(UNTHROTTLED);
        partition.seed = source.number();
        partition.tasks.readFrom(in);
        partition.durations.readFrom(in);
        partition.nodes.readFrom(in);
        new QueueCheckpoint(partition).readFrom(in);
        partition.usage.readFrom(in, partition.queues);
        partition.applications.readFrom(in);
        if (in.hasReservations()) {
            partition.reservations.readFrom(in, partition.name);
        }
        partition.nodes.restoreOrder();
        if (partition.types.size() != types) {
            throw PartitionCheckpointReader.corrupt("unknown resource type");
        }
        // last of all: earlier releases did not register the types of limits
        partition.queues.resetLimits();
        partition.applications.updateLimits();
        return partition;
    }

    /** Returns whether some of its tasks may be protected from preemption. */
    public boolean mayProtectTasks() {
        return demand.mayHaveUnpreemptible()
                || queues.all().stream()
                        .anyMatch(queue -> queue.isPreemptionDisabled()
                                || !queue.minimumRuntime().isZero());
    }

    /** Called before an event of this time is applied. */
    void beginEvent(Instant at) {
        changes.eventApplied();
        demand.setTime(at);
    }

    /** Returns whether more tasks are allocated than the throttle allows, so that nothing could replace a victim. */
    public boolean exceedsThrottle() {
        return throttle() != UNTHROTTLED && queues.root().allocatedTasks() > throttle();
    }

    public String name() {
        return name;
    }

    public PartitionConfiguration configuration() {
        return configuration;
    }

    /** Returns who may submit to its queues, and administer them. */
    public QueueAccess access() {
        return access;
    }

    /** Returns the resource types known to the partition. */
    public ResourceTypes types() {
        return types;
    }

    /**
     * Returns amounts by resource type, without slots where they are not counted.
     *
     * @param amounts the amount of each type, such as {@code queue::allocated}
     */
    public Resources amounts(IntToLongFunction amounts) {
        return types.resources(
                type -> type == ResourceTypes.SLOTS_INDEX && !countsSlots() ? 0 : amounts.applyAsLong(type));
    }

    public QueueTree queues() {
        return queues;
    }

    /** Returns the nodes in the order of registration. */
    public Collection<Node> nodes() {
        return nodes.all();
    }

    /** Returns the number of nodes that accept tasks. */
    public int readyNodes() {
        return nodes.totals().readyNodes();
    }

    /** Returns the node with this name, or null. */
    public @Nullable Node node(String nodeName) {
        return nodes.find(nodeName);
    }

    /** Returns an exclusive upper bound of the indexes of nodes. */
    public int nodeIndexBound() {
        return nodes.indexBound();
    }

    /** Returns all remembered applications in the order of submission. */
    public Collection<Application> applications() {
        return applications.all();
    }

    /**
     * Returns the application submitted after this one, or the first one for null; null after the last one. An
     * iteration may be interrupted: even if the application it has reached is forgotten meanwhile, it continues with
     * all remembered applications after it.
     */
    public @Nullable Application nextApplication(@Nullable Application after) {
        return applications.next(after);
    }

    /** Returns the number that the next numbered application of this name gets in its id. */
    public long nextNumber(String name) {
        return applications.nextNumber(name);
    }

    /** Returns the application with this id, or null. */
    public @Nullable Application application(String id) {
        return applications.find(id);
    }

    /** Returns the remembered application with this name that was submitted last, or null. */
    public @Nullable Application newestNamed(String applicationName) {
        return applications.newestNamed(applicationName);
    }

    /** Returns the application with this id; throws {@link IllegalStateException} if there is none. */
    public Application existing(String id) {
        Application application = applications.find(id);
        if (application == null) {
            throw new IllegalStateException("application " + id + " not found in partition " + name);
        }
        return application;
    }

    /** Returns the group with this name; throws {@link IllegalStateException} if there is none. */
    TaskGroup existing(String application, String tasks) {
        TaskGroup group = existing(application).group(tasks);
        if (group == null) {
            throw new IllegalStateException("task " + tasks + " not found in application " + application);
        }
        return group;
    }

    /** Returns the applications that wait for the end of this one, in the order of submission. */
    public List<Application> awaiting(Application ended) {
        return applications.awaiting(ended);
    }

    /** Returns an exclusive upper bound of the indexes of applications. */
    public int applicationIndexBound() {
        return applications.indexBound();
    }

    /**
     * Returns the capacity of all ready nodes together, as a vector. Must not be modified. Its slots are the number of
     * workers if any node declares slots, otherwise 0: slots are not counted then.
     */
    public long[] total() {
        return nodes.totals().ready();
    }

    /** Returns the capacity of this type of all ready nodes together. */
    public long total(int type) {
        return Vectors.at(total(), type);
    }

    /** Returns the capacity of all nodes together, ready or not, as a vector. Must not be modified. */
    public long[] registered() {
        return nodes.totals().registered();
    }

    /** Returns the capacity of this type of all nodes together, ready or not. */
    public long registered(int type) {
        return Vectors.at(registered(), type);
    }

    /** Returns the resources requested by all unfinished tasks together, as a vector. Must not be modified. */
    public long[] demanded() {
        return demand.total();
    }

    /** Returns whether there are nodes, ready or not, and none of them has {@code vcore}. */
    public boolean isWithoutCores() {
        int vcore = types.find(ResourceTypes.VCORE);
        return !nodes.all().isEmpty() && (vcore < 0 || registered(vcore) == 0);
    }

    /** Returns the number of workers that the ready nodes count as. */
    public long workers() {
        return nodes.totals().workers();
    }

    /** Returns whether any ready node declares slots. */
    public boolean countsSlots() {
        return nodes.totals().countsSlots();
    }

    /** Returns the maximum number of allocated tasks, or {@link #UNTHROTTLED}. */
    public int throttle() {
        return throttle;
    }

    /** Returns how many more tasks the throttle permits; {@link Long#MAX_VALUE} if there is no throttle. */
    public long throttleHeadroom() {
        return throttle == UNTHROTTLED
                ? Long.MAX_VALUE
                : Math.max(0, (long) throttle - queues.root().allocatedTasks());
    }

    /**
     * Returns the seed of the random draws of share policies. A draw depends on the seed, the partition's name, the
     * queue's path, {@link #placements} and the number of the draw.
     */
    public long seed() {
        return seed;
    }

    /** Returns the number of allocations ever made. */
    public long placements() {
        return tasks.placements();
    }

    public Usage usage() {
        return usage;
    }

    /** Returns the timers, the earliest first. */
    public Collection<Timer> timers() {
        return timers.all();
    }

    /** Returns the earliest timer, or null. */
    public @Nullable Timer nextTimer() {
        return timers.next();
    }

    /** Returns the numbers of unfinished applications by user. */
    public Users users() {
        return applications.users();
    }

    /** Returns the lineages: applications grouped by tag and basis. */
    public Lineages lineages() {
        return applications.lineages();
    }

    /** Returns the durations of earlier runs. */
    public DurationHistory durations() {
        return durations;
    }

    /**
     * Returns whether a reservation is firm: it was put off so often that it keeps its nodes as long as it can start
     * there, and no other tasks start on them. So it starts at the latest when what ran there has ended, however wrong
     * the expected durations are.
     */
    public boolean isFirm(Reservation reservation) {
        Integer max = configuration.root().properties().reservation().delaysMax();
        return reservation.delays() >= (max == null ? ReservationProperties.DELAYS_MAX_DEFAULT : max);
    }

    /** Returns the capacity that is reserved for pending tasks. */
    public Reservations reservations() {
        return reservations;
    }

    /** Returns what has changed since the last {@link Changes#clear}. */
    public Changes changes() {
        return changes;
    }

    /** Returns the resources of one task of this specification, slots included, as a vector. */
    public long[] demand(TaskSpec task) {
        return demand.of(task);
    }

    /**
     * Returns whether {@code times} times these amounts can be added to a sum without exceeding
     * {@link SchedulerLimits#SUM_MAX}.
     */
    public boolean canAdd(long[] sum, Resources amounts, long times) {
        for (var entry : amounts.amounts().entrySet()) {
            int type = types.find(entry.getKey());
            long available = SchedulerLimits.SUM_MAX - (type < 0 ? 0 : Vectors.at(sum, type));
            if (entry.getValue().times(times).value() > available) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the partition can add these resource types without exceeding
     * {@link SchedulerLimits#RESOURCE_TYPES_MAX}.
     */
    public boolean canAddResourceTypes(Iterable<String> typeNames) {
        int unknown = 0;
        for (String typeName : typeNames) {
            unknown += types.find(typeName) < 0 ? 1 : 0;
        }
        return types.size() + unknown <= SchedulerLimits.RESOURCE_TYPES_MAX;
    }

    void configure(PartitionConfiguration newConfiguration, Instant at) {
        usage.updateAll(at);
        configuration = newConfiguration;
        access = QueueAccess.of(newConfiguration);
        queues.configure(newConfiguration);
        queues.resetLimits();
        applications.updateLimits();
        usage.count(queues, at);
        for (Queue queue : queues.all()) {
            Instant since = queue.overThresholdSince();
            if (since != null) {
                setOverThreshold(queue, queue.rebalances() ? since : null);
            }
            queue.updateOverMaximum(newConfiguration.quotaPreemption());
        }
        changes.touchNodes();
        changes.touchQueues();
    }

    void createQueue(String path, Instant at) {
        queues.create(path);
        for (Queue queue = queues.find(path); queue != null; queue = queue.parent()) {
            usage.queueAdded(queue, at);
        }
        changes.touchTree();
    }

    void setQueueQuotas(String path, Resources guaranteed, Resources max, long maxApplications) {
        Queue queue = queues.find(path);
        if (queue == null || !queue.isDynamic()) {
            throw new IllegalStateException("queue " + path + " was not created by a placement rule");
        }
        queue.configure(this, queue.configuration().withQuotas(guaranteed, max, maxApplications));
        queue.updateOverMaximum(configuration.quotaPreemption());
        changes.touchQueues();
    }

    void removeQueue(String path, Instant at) {
        Queue queue = queues.find(path);
        if (queue == null) {
            throw new IllegalStateException("queue " + path + " not found");
        }
        usage.updateToRoot(queue, at);
        queues.remove(queue);
        changes.touchTree();
    }

    /** Called when a queue was removed: removes its timer and keeps its usage in case it is added again. */
    void queueRemoved(Queue queue) {
        timers.cancel(queue);
        usage.queueRemoved(queue);
    }

    void seed(long newSeed) {
        seed = newSeed;
    }

    void setUsagePriority(String path, double priority, Instant at) {
        Queue queue = queues.find(path);
        if (queue == null || queue.usage() == null) {
            throw new IllegalStateException("the parent of queue " + path + " does not share by usage");
        }
        usage.set(queue, priority, at);
    }

    void throttle(int tasksMax) {
        throttle = tasksMax;
    }

    void setOverThreshold(String path, @Nullable Instant since) {
        setOverThreshold(rebalancing(path), since);
    }

    void setOverMaximum(String path, Instant since) {
        Queue queue = queues.find(path);
        if (queue == null || !queue.isMaximumEnforced() || !queue.exceedsMaximum()) {
            throw new IllegalStateException("queue " + path + " has no maximum that is exceeded and enforced");
        }
        queue.setOverMaximumSince(since);
    }

    void setRebalanceDue(String path) {
        Queue queue = rebalancing(path);
        queue.setRebalanceDue();
        timers.cancel(queue);
    }

    void reserve(Reservation reservation) {
        Reservation former = reservations.ofQueue(reservation.queue());
        if (former != null) {
            touchNodesOf(former);
        }
        reservations.put(reservation);
        touchNodesOf(reservation);
    }

    void endReservation(Reservation reservation) {
        reservations.remove(reservation);
        touchNodesOf(reservation);
    }

    private void touchNodesOf(Reservation reservation) {
        for (ReservedCapacity part : reservation.capacity()) {
            Node node = nodes.find(part.node());
            if (node != null) {
                changes.touch(node);
            }
        }
    }

    private Queue rebalancing(String path) {
        Queue queue = queues.find(path);
        if (queue == null || !queue.rebalances()) {
            throw new IllegalStateException("queue " + path + " does not rebalance");
        }
        return queue;
    }

    private void setOverThreshold(Queue queue, @Nullable Instant since) {
        queue.setOverThresholdSince(since);
        if (since == null) {
            timers.cancel(queue);
        } else {
            timers.set(queue, since, queue.configuration().properties().load().rebalanceMinimumDuration());
        }
    }
}
