package dev.sluice.core.state;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and a queue tree, scheduled together, with the applications in them.
 *
 * <p>Whoever is outside this package only reads it; it is changed by applying events. Those of the partition itself and its queues are
 * applied here, those of nodes, applications and tasks to the class in this package that has their name.
 */
public final class Partition {

    /** The throttle of a partition that may run as many tasks as fit. */
    public static final int UNTHROTTLED = -1;

    private final String name;
    private final ResourceTypes types = new ResourceTypes();
    private final QueueTree queues;
    private final Timers timers = new Timers();
    private final Changes changes = new Changes();
    private final DurationHistory durations = new DurationHistory(SchedulerLimits.DURATION_KEYS_MAX);
    private final NodeTotals totals = new NodeTotals();
    private final Usage usage = new Usage(types, totals, SchedulerLimits.REMOVED_QUEUES_MAX);
    private final Demand demand = new Demand(types, changes);
    private PartitionConfiguration configuration;
    private int throttle = UNTHROTTLED;
    private long seed;

    // the events of nodes, applications and tasks are applied to these
    final Nodes nodes = new Nodes(types, totals, usage, timers, changes);
    final Applications applications;
    final Tasks tasks = new Tasks(usage, demand, durations, timers, changes);

    /** A new partition. */
    Partition(PartitionConfiguration configuration, Instant at) {
        this(configuration);
        queues.configure(configuration);
        usage.count(queues, at);
    }

    /** One in which nothing but the queue root is there yet. */
    private Partition(PartitionConfiguration configuration) {
        this.name = configuration.name();
        this.configuration = configuration;
        this.queues = new QueueTree(this, configuration);
        this.applications = new Applications(queues, demand, durations, timers, changes);
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
    }

    static Partition readFrom(StateSource source, long version) {
        Partition partition = new Partition(source.configuration());
        PartitionCheckpointReader in = new PartitionCheckpointReader(source, version, partition.timers);
        int types = in.count();
        for (int type = 0; type < types; type++) {
            // before all that names types, which would number them otherwise
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
        partition.nodes.restoreOrder();
        if (partition.types.size() != types) {
            throw PartitionCheckpointReader.corrupt("something names a resource type that the partition has not met");
        }
        return partition;
    }

    /** The partition's name. */
    public String name() {
        return name;
    }

    /** What was configured. */
    public PartitionConfiguration configuration() {
        return configuration;
    }

    /** The resource types it has met. */
    public ResourceTypes types() {
        return types;
    }

    /** Its queues. */
    public QueueTree queues() {
        return queues;
    }

    /** Its nodes, in the order of registration. */
    public Collection<Node> nodes() {
        return nodes.all();
    }

    /** How many nodes take tasks. */
    public int readyNodes() {
        return nodes.totals().readyNodes();
    }

    /** The node of this name, or null. */
    public @Nullable Node node(String nodeName) {
        return nodes.find(nodeName);
    }

    /** One more than the largest index of a node. */
    public int nodeIndexBound() {
        return nodes.indexBound();
    }

    /** The applications that are remembered, in the order of submission. */
    public Collection<Application> applications() {
        return applications.all();
    }

    /**
     * The application that was submitted after this one, or the first one for null; null after the last one. A walk may be interrupted: the
     * application that it has come to may be forgotten meanwhile, and the walk still comes to all those after it that are remembered.
     */
    public @Nullable Application nextApplication(@Nullable Application after) {
        return applications.next(after);
    }

    /** The application with this id, or null. */
    public @Nullable Application application(String id) {
        return applications.find(id);
    }

    /** The application with this id; throws {@link IllegalStateException} if there is none. */
    public Application existing(String id) {
        Application application = applications.find(id);
        if (application == null) {
            throw new IllegalStateException("no application " + id + " in " + name);
        }
        return application;
    }

    /** The tasks of this name; throws {@link IllegalStateException} if there are none. */
    TaskGroup existing(String application, String tasks) {
        TaskGroup group = existing(application).group(tasks);
        if (group == null) {
            throw new IllegalStateException("no task " + tasks + " in " + application);
        }
        return group;
    }

    /** One more than the largest index of an application. */
    public int applicationIndexBound() {
        return applications.indexBound();
    }

    /**
     * What the ready nodes have together, as a vector; not to be changed. Slots are the number of workers if any node declares
     * slots, else 0: then nobody counts them.
     */
    public long[] total() {
        return nodes.totals().ready();
    }

    /** What all nodes have together, ready or not, as a vector; not to be changed. */
    public long[] registered() {
        return nodes.totals().registered();
    }

    /** What all tasks that have not ended ask for together, as a vector; not to be changed. */
    public long[] demanded() {
        return demand.total();
    }

    /** Whether there are nodes, ready or not, and none of them has cores. */
    public boolean isWithoutCores() {
        int vcore = types.find(ResourceTypes.VCORE);
        return !nodes.all().isEmpty() && (vcore < 0 || Vectors.at(registered(), vcore) == 0);
    }

    /** How many workers the ready nodes count as. */
    public long workers() {
        return nodes.totals().workers();
    }

    /** Whether any ready node says how many tasks it runs at most. */
    public boolean countsSlots() {
        return nodes.totals().countsSlots();
    }

    /** The most tasks that may hold a place at once, or {@link #UNTHROTTLED}. */
    public int throttle() {
        return throttle;
    }

    /** How many more tasks the throttle lets have a place; {@link Long#MAX_VALUE} without one. */
    public long throttleHeadroom() {
        return throttle == UNTHROTTLED
                ? Long.MAX_VALUE
                : Math.max(0, (long) throttle - queues.root().allocatedTasks());
    }

    /** The seed of the random draws of share policies. A draw depends on it, on the partition's name, the queue's path, {@link #placements} and the number of the draw. */
    public long seed() {
        return seed;
    }

    /** How many tasks were ever placed. */
    public long placements() {
        return tasks.placements();
    }

    /** What queues use and have used. */
    public Usage usage() {
        return usage;
    }

    /** What is due in future, the next first. */
    public Collection<Timer> timers() {
        return timers.all();
    }

    /** What is due first, or null. */
    public @Nullable Timer nextTimer() {
        return timers.next();
    }

    /** Who has how many applications that have not ended. */
    public Users users() {
        return applications.users();
    }

    /** Which applications belong together by their tags. */
    public Lineages lineages() {
        return applications.lineages();
    }

    /** How long tasks took that ran before. */
    public DurationHistory durations() {
        return durations;
    }

    /** What has changed since somebody last cleared it. */
    public Changes changes() {
        return changes;
    }

    /** What a task of this specification takes, slots included, as a vector. */
    public long[] demand(TaskSpec task) {
        return demand.of(task);
    }

    /** Whether so many times these amounts could be added to a sum without exceeding {@link SchedulerLimits#SUM_MAX}. */
    public boolean canAdd(long[] sum, Resources amounts, long times) {
        for (var entry : amounts.amounts().entrySet()) {
            int type = types.find(entry.getKey());
            long room = SchedulerLimits.SUM_MAX - (type < 0 ? 0 : Vectors.at(sum, type));
            if (entry.getValue().times(times).value() > room) {
                return false;
            }
        }
        return true;
    }

    /** Whether these amounts name no more new resource types than the partition may still come to know. */
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
        queues.configure(newConfiguration);
        usage.count(queues, at);
        for (Queue queue : queues.all()) {
            Instant since = queue.overThresholdSince();
            if (since != null) {
                setOverThreshold(queue, queue.rebalances() ? since : null);
            }
        }
        changes.touchNodes();
        changes.touchQueues();
    }

    void createQueue(String path, Instant at) {
        queues.create(path);
        for (Queue queue = queues.find(path); queue != null; queue = queue.parent()) {
            usage.enter(queue, at);
        }
        changes.touchTree();
    }

    void removeQueue(String path, Instant at) {
        Queue queue = queues.find(path);
        if (queue == null) {
            throw new IllegalStateException("no queue " + path);
        }
        usage.updateToRoot(queue, at);
        queues.remove(queue);
        changes.touchTree();
    }

    /** A queue was taken out: nothing is due of it any more, but what it used is remembered. */
    void queueRemoved(Queue queue) {
        timers.cancel(queue);
        usage.leave(queue);
    }

    void seed(long newSeed) {
        seed = newSeed;
    }

    void setUsagePriority(String path, double priority, Instant at) {
        Queue queue = queues.find(path);
        if (queue == null || queue.usage() == null) {
            throw new IllegalStateException("queue " + path + " is not below one that shares by usage");
        }
        usage.set(queue, priority, at);
    }

    void throttle(int tasksMax) {
        throttle = tasksMax;
    }

    void setOverThreshold(String path, @Nullable Instant since) {
        setOverThreshold(rebalancing(path), since);
    }

    void setRebalanceDue(String path) {
        Queue queue = rebalancing(path);
        queue.setRebalanceDue();
        timers.cancel(queue);
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
