package dev.sluice.core.state;

import dev.sluice.core.application.TaskState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.SharePolicyKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A tenant, or a group of them: a parent that divides among its children, or a leaf that holds applications. */
public final class Queue extends TimerSubject {

    private final String path;
    private final @Nullable Queue parent;
    private final int index;
    private boolean dynamic;
    private final Map<String, Queue> children = new LinkedHashMap<>();
    private final Set<Application> applications = new LinkedHashSet<>();
    private QueueConfiguration configuration;
    private long[] guaranteed = Vectors.empty();
    private long[] max = Vectors.empty();
    private ApplicationSortPolicy sortPolicy = ApplicationSortPolicy.FIFO;
    private boolean priorityCounts = true;
    private @Nullable Duration taskTimeout;
    private boolean draining;
    private long[] allocated = Vectors.empty();
    private long[] pending = Vectors.empty();
    private long pendingTasks;
    private int allocatedTasks;
    private int stoppingTasks;
    private int preemptingTasks;
    private @Nullable Instant overThresholdSince;
    private boolean rebalanceDue;
    private Usage.@Nullable Reading usage;
    private int applicationsBelow;
    private int activeApplications;
    private int startingApplications;

    Queue(@Nullable Queue parent, QueueConfiguration configuration, int index, boolean dynamic) {
        this.parent = parent;
        this.path = parent == null ? configuration.name() : parent.path + "." + configuration.name();
        this.index = index;
        this.dynamic = dynamic;
        this.configuration = configuration;
    }

    /** The names from root down, with dots between them, such as {@code root.sandbox}. */
    public String path() {
        return path;
    }

    /** The last part of the path. */
    public String name() {
        return configuration.name();
    }

    /** The queue above, or null for root. */
    public @Nullable Queue parent() {
        return parent;
    }

    /** A small number, unique among the queues of its partition that are there. */
    public int index() {
        return index;
    }

    /** Whether a placement rule made it, and no configuration names it. */
    public boolean isDynamic() {
        return dynamic;
    }

    /** Whether it holds applications; otherwise it holds queues. */
    public boolean isLeaf() {
        return !configuration.parent() && children.isEmpty();
    }

    /** Whether it has left the configuration, takes nothing new and vanishes when it is empty. */
    public boolean isDraining() {
        return draining;
    }

    /** The queues below it, in the order of configuration and then of creation. */
    public List<Queue> children() {
        return List.copyOf(children.values());
    }

    /** The queue of this name below it, or null. */
    public @Nullable Queue child(String name) {
        return children.get(name);
    }

    /** The applications in it that are remembered, in the order of submission. */
    public Set<Application> applications() {
        return Collections.unmodifiableSet(applications);
    }

    /** How many applications are in it, or in the queues below it. */
    public int applicationsBelow() {
        return applicationsBelow;
    }

    /** What was configured; its children are those of the configuration. */
    public QueueConfiguration configuration() {
        return configuration;
    }

    /** What it is guaranteed; 0 where nothing is. Not to be changed. */
    public long[] guaranteed() {
        return guaranteed;
    }

    /** The most it may use, see {@link Vectors#limitAt}. Not to be changed. */
    public long[] max() {
        return max;
    }

    /** The most applications that are active in it at once; {@link Long#MAX_VALUE} if not limited. */
    public long maxApplications() {
        return configuration.maxApplications() == 0 ? Long.MAX_VALUE : configuration.maxApplications();
    }

    /** The order of its applications. */
    public ApplicationSortPolicy sortPolicy() {
        return sortPolicy;
    }

    /** How it divides among its children. */
    public SharePolicyKind sharePolicy() {
        return configuration.properties().sharePolicy();
    }

    /** Whether priorities count in the order of its applications or children. */
    public boolean usesPriorities() {
        return priorityCounts;
    }

    /** How long one run of a task may take that does not say so itself, or null for as long as it likes. */
    public @Nullable Duration taskTimeout() {
        return taskTimeout;
    }

    /** What tasks below it hold, as a vector; not to be changed. */
    public long[] allocated() {
        return allocated;
    }

    /** What tasks below it ask for that could be placed now, as a vector; not to be changed. */
    public long[] pending() {
        return pending;
    }

    /** How many tasks below it could be placed now. */
    public long pendingTasks() {
        return pendingTasks;
    }

    /** How many tasks below it hold a place. */
    public int allocatedTasks() {
        return allocatedTasks;
    }

    /** How many applications below it are active. */
    public int activeApplications() {
        return activeApplications;
    }

    /** How many tasks below it were told to stop and still hold their places. */
    public int stoppingTasks() {
        return stoppingTasks;
    }

    /** How many tasks below it gave their place up to others and have not ended yet. */
    public int preemptingTasks() {
        return preemptingTasks;
    }

    /** Since when the classes below it have been further apart than its threshold allows, or null. */
    public @Nullable Instant overThresholdSince() {
        return overThresholdSince;
    }

    /** Whether that has been so for long enough to rebalance. */
    public boolean isRebalanceDue() {
        return rebalanceDue;
    }

    /** Its usage priority and since when that has not changed by itself, or null if its parent does not share by usage. */
    public Usage.@Nullable Reading usage() {
        return usage;
    }

    /** Whether it rebalances when the classes below it are too far apart. */
    public boolean rebalances() {
        return !isLeaf()
                && sharePolicy() == SharePolicyKind.LOAD
                && configuration.properties().load().rebalanceThreshold() > 0;
    }

    /** How many applications in this leaf are Starting. */
    public int startingApplications() {
        return startingApplications;
    }

    /** The first queue from here up to root that this demand would bring above its maximum, or null. */
    public @Nullable Queue firstQueueOverMax(long[] demand) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            if (queue.typeOverMax(demand) >= 0) {
                return queue;
            }
        }
        return null;
    }

    /** The first resource type in which this demand would bring this queue above its maximum, or -1. */
    public int typeOverMax(long[] demand) {
        int limited = Math.min(max.length, demand.length);
        for (int i = 0; i < limited; i++) {
            if (demand[i] > 0 && demand[i] > max[i] - Vectors.at(allocated, i)) {
                return i;
            }
        }
        return -1;
    }

    /** How much more it may have before it reaches its maximum, as limits by type; negative where it has more. */
    public long[] headroom() {
        long[] room = max.clone();
        for (int type = 0; type < room.length; type++) {
            if (room[type] != Long.MAX_VALUE) {
                room[type] -= Vectors.at(allocated, type);
            }
        }
        return room;
    }

    /** The first queue from here up to root where no further application may become active, or null. */
    public @Nullable Queue firstQueueAtMaxApplications() {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            if (queue.activeApplications >= queue.maxApplications()) {
                return queue;
            }
        }
        return null;
    }

    @Override
    int timerRank() {
        return 1;
    }

    @Override
    int timerIndex() {
        return index;
    }

    void configure(Partition partition, QueueConfiguration newConfiguration) {
        configuration = newConfiguration;
        draining = false;
        guaranteed = partition.types().vector(newConfiguration.guaranteed(), 0);
        max = partition.types().vector(newConfiguration.max(), Long.MAX_VALUE);
        Boolean ownPriority = newConfiguration.properties().applicationSortPriority();
        sortPolicy = configuredSortPolicy();
        priorityCounts = ownPriority != null ? ownPriority : parent == null || parent.priorityCounts;
        Duration ownTimeout = newConfiguration.properties().taskTimeout();
        taskTimeout = ownTimeout != null ? ownTimeout : parent == null ? null : parent.taskTimeout;
    }

    /** Takes the sort policy that the configuration comes to: a checkpoint of an older release has another default for load classes. */
    void updateSortPolicy() {
        if (!draining) {
            sortPolicy = configuredSortPolicy();
        }
    }

    /** Its own sort policy, else that of the nearest queue above it that has one, else the default of a leaf below such a parent. */
    private ApplicationSortPolicy configuredSortPolicy() {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            ApplicationSortPolicy written = queue.configuration.properties().applicationSortPolicy();
            if (written != null) {
                return written;
            }
        }
        return parent != null && parent.sharePolicy() == SharePolicyKind.LOAD && !configuration.parent()
                ? ApplicationSortPolicy.FEWEST_RUNNING
                : ApplicationSortPolicy.FIFO;
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().flag(draining);
        out.constant(sortPolicy);
        out.sink().flag(priorityCounts);
        out.optional(taskTimeout);
        out.optional(overThresholdSince);
        out.sink().flag(rebalanceDue);
        out.optional(usage);
        out.timer(this);
    }

    /** Reads all but its place; what is counted will be counted. What it inherited may be from before it began to drain. */
    void readFrom(PartitionCheckpointReader in, Partition partition) {
        configure(partition, configuration);
        draining = in.source().flag();
        sortPolicy = in.constant(ApplicationSortPolicy.class);
        priorityCounts = in.source().flag();
        taskTimeout = in.optionalDuration();
        overThresholdSince = in.optionalInstant();
        rebalanceDue = in.source().flag();
        usage = in.optionalReading();
        in.timer(this);
    }

    void markConfigured() {
        dynamic = false;
    }

    void drain() {
        draining = true;
    }

    void addChild(Queue child) {
        children.put(child.name(), child);
    }

    void removeChild(Queue child) {
        children.remove(child.name());
    }

    void orderChildren(List<Queue> ordered) {
        children.clear();
        ordered.forEach(this::addChild);
    }

    void add(Application application) {
        if (applications.add(application)) {
            countApplications(1);
        }
    }

    void remove(Application application) {
        if (applications.remove(application)) {
            countApplications(-1);
        }
    }

    private void countApplications(int change) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.applicationsBelow += change;
        }
    }

    void countPending(long[] demand, long change) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.pending = Vectors.add(queue.pending, demand, change);
            queue.pendingTasks += change;
        }
    }

    /** A task holds its place no more. */
    void countGone(long[] demand) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.allocated = Vectors.add(queue.allocated, demand, -1);
            queue.allocatedTasks--;
        }
    }

    /** A task that was pending holds a place now. */
    void countStarted(long[] demand) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.allocated = Vectors.add(queue.allocated, demand, 1);
            queue.allocatedTasks++;
            queue.pending = Vectors.add(queue.pending, demand, -1);
            queue.pendingTasks--;
        }
    }

    /** A task was read that stands on a node. */
    void countRestored(Task task) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            if (task.isPreempting()) {
                queue.preemptingTasks++;
            } else {
                queue.allocated = Vectors.add(queue.allocated, task.demand(), 1);
                queue.allocatedTasks++;
                queue.stoppingTasks += task.state() == TaskState.STOPPING ? 1 : 0;
            }
        }
    }

    void countStopping(int change) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.stoppingTasks += change;
        }
    }

    void countPreempting(int change) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.preemptingTasks += change;
        }
    }

    void setOverThresholdSince(@Nullable Instant since) {
        overThresholdSince = since;
        rebalanceDue = false;
    }

    void setUsage(Usage.@Nullable Reading newUsage) {
        usage = newUsage;
    }

    void setRebalanceDue() {
        rebalanceDue = true;
    }

    void countStarting(int change) {
        startingApplications += change;
    }

    void countActive(int change) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.activeApplications += change;
        }
    }

    @Override
    public String toString() {
        return path;
    }
}
