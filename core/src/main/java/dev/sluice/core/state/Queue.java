package dev.sluice.core.state;

import dev.sluice.core.application.Deadline;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.ResourceTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A queue: a parent that divides capacity among its children, or a leaf that contains applications. */
public final class Queue extends TimerSubject {

    private final String path;
    private final @Nullable Queue parent;
    private final int index;
    private boolean dynamic;
    private final Map<String, Queue> children = new LinkedHashMap<>();
    private final NavigableSet<Application> applications = new TreeSet<>(Application.BY_SEQUENCE);
    private QueueConfiguration configuration;
    private long[] guaranteed = Vectors.empty();
    private long[] max = Vectors.empty();
    private ApplicationSortPolicy sortPolicy = ApplicationSortPolicy.FIFO;
    private boolean priorityCounts = true;
    private @Nullable Duration taskTimeout;
    private boolean draining;
    private QueueLimits limits = QueueLimits.NONE;
    private long[] allocated = Vectors.empty();
    private long[] pending = Vectors.empty();
    private long pendingTasks;
    private int allocatedTasks;
    private int stoppingTasks;
    private int preemptingTasks;
    private @Nullable Instant overThresholdSince;
    private boolean rebalanceDue;
    private @Nullable Instant overMaximumSince;
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

    /** Returns the names from the root down, separated by dots, such as {@code root.sandbox}. */
    public String path() {
        return path;
    }

    /** Returns the last part of the path. */
    public String name() {
        return configuration.name();
    }

    /** Returns the parent queue, or null for the root. */
    public @Nullable Queue parent() {
        return parent;
    }

    /** Returns whether this is the given queue or one above it. */
    public boolean contains(Queue other) {
        Queue each = other;
        while (each != null && each != this) {
            each = each.parent;
        }
        return each == this;
    }

    /** Returns a small number, unique among the present queues of the partition. */
    public int index() {
        return index;
    }

    /** Returns whether a placement rule created it and the configuration does not contain it. */
    public boolean isDynamic() {
        return dynamic;
    }

    public boolean isLeaf() {
        return !configuration.parent() && children.isEmpty();
    }

    /**
     * Returns whether it was removed from the configuration: it accepts nothing new and is removed when it is empty.
     */
    public boolean isDraining() {
        return draining;
    }

    /** Returns its children in the order of configuration, then creation. */
    public List<Queue> children() {
        return List.copyOf(children.values());
    }

    /** Returns the child with this name, or null. */
    public @Nullable Queue child(String name) {
        return children.get(name);
    }

    /** Returns its remembered applications in the order of submission. */
    public Set<Application> applications() {
        return Collections.unmodifiableSet(applications);
    }

    /**
     * Returns the first of its applications that was submitted after this one, which may have ended meanwhile; the
     * first of all if it is null. Returns null if there is none.
     */
    public @Nullable Application nextApplication(@Nullable Application after) {
        if (after != null) {
            return applications.higher(after);
        }
        return applications.isEmpty() ? null : applications.first();
    }

    /** Returns the number of applications in it and in all queues below it. */
    public int applicationsBelow() {
        return applicationsBelow;
    }

    /** Returns its configuration, whose children are those of the configuration. */
    public QueueConfiguration configuration() {
        return configuration;
    }

    /** Returns its guaranteed resources as a vector; 0 where nothing is guaranteed. Must not be modified. */
    public long[] guaranteed() {
        return guaranteed;
    }

    /** Returns the guaranteed amount of this type. */
    public long guaranteed(int type) {
        return Vectors.at(guaranteed, type);
    }

    /** Returns its maximum resources as limits, see {@link Vectors#limitAt}. Must not be modified. */
    public long[] max() {
        return max;
    }

    /** Returns the maximum amount of this type; {@link Long#MAX_VALUE} if it is unlimited. */
    public long max(int type) {
        return Vectors.limitAt(max, type);
    }

    /** Returns the maximum number of active applications; {@link Long#MAX_VALUE} if it is unlimited. */
    public long maxApplications() {
        return configuration.maxApplications() == 0 ? Long.MAX_VALUE : configuration.maxApplications();
    }

    /** Returns the order of its applications. */
    public ApplicationSortPolicy sortPolicy() {
        return sortPolicy;
    }

    /** Returns how it divides capacity among its children. */
    public SharePolicyKind sharePolicy() {
        return configuration.properties().sharePolicy();
    }

    /** Returns whether its share policy gives children what they are guaranteed first. */
    public boolean servesGuaranteesFirst() {
        return sharePolicy() == SharePolicyKind.FAIR;
    }

    /** Returns whether priorities count in the order of its applications or children. */
    public boolean usesPriorities() {
        return priorityCounts;
    }

    /** Returns the timeout of one run of a task that has no timeout of its own; null if there is none. */
    public @Nullable Duration taskTimeout() {
        return taskTimeout;
    }

    /** Returns whether the tasks below it neither preempt others nor are preempted, because of it or a queue above. */
    public boolean isPreemptionDisabled() {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            if (queue.preemption().policy() == PreemptionPolicy.DISABLED) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the tasks below it preempt only tasks below it. */
    public boolean isPreemptionFence() {
        return preemption().policy() == PreemptionPolicy.FENCE;
    }

    /** Returns whether it keeps the tasks below it from preempting others outside it: a fence, or disabled. */
    public boolean keepsFromPreempting() {
        return preemption().policy() != PreemptionPolicy.DEFAULT;
    }

    /** Returns how long an application in it must have pending tasks before others are preempted for them. */
    public Duration preemptionDelay() {
        return inherited(PreemptionProperties::delay, PreemptionProperties.DELAY_DEFAULT);
    }

    /** Returns how long its tasks are protected from preemption after their start. */
    public Duration minimumRuntime() {
        return inherited(PreemptionProperties::minimumRuntime, Duration.ZERO);
    }

    /** Returns whether its tasks may preempt those of lower priority of other applications in it. */
    public boolean preemptsByPriority() {
        return inherited(PreemptionProperties::byPriority, false);
    }

    /** Returns whether its tasks are preempted if it has used more than its maximum for its delay. */
    public boolean isMaximumEnforced() {
        return !preemption().quotaDelay().isZero() && max.length > 0;
    }

    /** Returns whether it uses more than its maximum of any resource type. */
    public boolean exceedsMaximum() {
        for (int type = 0; type < max.length; type++) {
            if (allocated(type) > max[type]) {
                return true;
            }
        }
        return false;
    }

    /** Returns the time since which it has used more than its maximum, if that is enforced; otherwise null. */
    public @Nullable Instant overMaximumSince() {
        return overMaximumSince;
    }

    /** Returns when its tasks are preempted because it uses more than its maximum, or null. */
    public @Nullable Instant quotaPreemptionDue() {
        return overMaximumSince == null
                ? null
                : Deadline.after(overMaximumSince, preemption().quotaDelay());
    }

    private PreemptionProperties preemption() {
        return configuration.properties().preemption();
    }

    private <T> T inherited(Function<PreemptionProperties, @Nullable T> property, T atRoot) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            T own = property.apply(queue.preemption());
            if (own != null) {
                return own;
            }
        }
        return atRoot;
    }

    /** Returns how long an application in it must have pending tasks before a node is reserved for one of them. */
    public Duration reservationDelay() {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            Duration own = queue.configuration.properties().reservation().delay();
            if (own != null) {
                return own;
            }
        }
        return ReservationProperties.DELAY_DEFAULT;
    }

    /** Returns the resources allocated to tasks in it and below it, as a vector. Must not be modified. */
    public long[] allocated() {
        return allocated;
    }

    /** Returns the allocated amount of this type. */
    public long allocated(int type) {
        return Vectors.at(allocated, type);
    }

    /** Returns the resources requested by pending tasks in it and below it, as a vector. Must not be modified. */
    public long[] pending() {
        return pending;
    }

    /** Returns the amount of this type that pending tasks request. */
    public long pending(int type) {
        return Vectors.at(pending, type);
    }

    /** Returns the number of pending tasks in it and below it. */
    public long pendingTasks() {
        return pendingTasks;
    }

    /** Returns the number of allocated tasks in it and below it. */
    public int allocatedTasks() {
        return allocatedTasks;
    }

    /** Returns the number of active applications in it and below it. */
    public int activeApplications() {
        return activeApplications;
    }

    /** Returns the number of tasks in it and below it that are stopping but still allocated. */
    public int stoppingTasks() {
        return stoppingTasks;
    }

    /** Returns the number of tasks in it and below it that were preempted and have not ended yet. */
    public int preemptingTasks() {
        return preemptingTasks;
    }

    /** Returns the time since which the spread of its load classes exceeds its threshold, or null. */
    public @Nullable Instant overThresholdSince() {
        return overThresholdSince;
    }

    /**
     * Returns whether the spread has exceeded the threshold for the minimum duration, so that the queue must rebalance.
     */
    public boolean isRebalanceDue() {
        return rebalanceDue;
    }

    /**
     * Returns its last usage priority and the time of that value, or null if its parent does not share by
     * {@code usage}.
     */
    public Usage.@Nullable Reading usage() {
        return usage;
    }

    /** Returns whether it rebalances when the spread of its load classes is too large. */
    public boolean rebalances() {
        return !isLeaf()
                && sharePolicy() == SharePolicyKind.LOAD
                && configuration.properties().load().rebalanceThreshold() > 0;
    }

    /** Returns the number of applications in this leaf that are Starting. */
    public int startingApplications() {
        return startingApplications;
    }

    /** Returns the first queue from here up to the root whose maximum this demand would exceed, or null. */
    public @Nullable Queue firstQueueOverMax(long[] demand) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            if (queue.typeOverMax(demand) >= 0) {
                return queue;
            }
        }
        return null;
    }

    /** Returns the first queue from here up to the root whose maximum this demand alone exceeds, or null. */
    public @Nullable Queue firstQueueAboveMax(long[] demand) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            if (queue.typeAboveMax(demand) >= 0) {
                return queue;
            }
        }
        return null;
    }

    /** Returns the first resource type in which this demand alone exceeds the maximum of this queue, or -1. */
    public int typeAboveMax(long[] demand) {
        int limited = Math.min(max.length, demand.length);
        for (int i = 0; i < limited; i++) {
            if (demand[i] > max[i]) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the first resource type in which this demand would exceed the maximum of this queue, or -1. */
    public int typeOverMax(long[] demand) {
        int limited = Math.min(max.length, demand.length);
        for (int i = 0; i < limited; i++) {
            if (demand[i] > 0 && demand[i] > max[i] - allocated(i)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns how much more it may allocate before it reaches its maximum, as limits; negative where it exceeds it.
     */
    public long[] headroom() {
        long[] headroom = max.clone();
        for (int type = 0; type < headroom.length; type++) {
            if (headroom[type] != Long.MAX_VALUE) {
                headroom[type] -= allocated(type);
            }
        }
        return headroom;
    }

    /**
     * Returns the first queue from here up to the root that has its maximum number of active applications, or null.
     */
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

    /**
     * Sets the sort policy that follows from the configuration: checkpoints of older releases have another default for
     * load classes.
     */
    void updateSortPolicy() {
        if (!draining) {
            sortPolicy = configuredSortPolicy();
        }
    }

    /**
     * Returns its own sort policy, otherwise that of the nearest queue above that has one, otherwise the default of a
     * leaf below such a parent.
     */
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
        out.optional(overMaximumSince);
    }

    /**
     * Reads everything except its position in the tree and its counts. Inherited properties are read, too, because a
     * draining queue keeps those from before.
     */
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
        overMaximumSince = in.hasPendingSince() ? in.optionalInstant() : null;
    }

    /** Returns what users and groups use of their limits in this queue: users by name, then groups by name. */
    public List<LimitUsage> limitUsages() {
        return limits.usages(this);
    }

    QueueLimits limits() {
        return limits;
    }

    /** Creates its limits anew from its configuration, without usage. */
    void resetLimits(ResourceTypes types) {
        limits = QueueLimits.of(configuration.limits(), types);
    }

    void removeLimits() {
        limits = QueueLimits.NONE;
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

    /** Called when a task is no longer allocated. */
    void countReleased(long[] demand) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.allocated = Vectors.add(queue.allocated, demand, -1);
            queue.allocatedTasks--;
            if (queue.overMaximumSince != null) {
                queue.updateOverMaximum(true);
            }
        }
    }

    /** Called when a pending task was allocated. */
    void countStarted(long[] demand) {
        for (Queue queue = this; queue != null; queue = queue.parent) {
            queue.allocated = Vectors.add(queue.allocated, demand, 1);
            queue.allocatedTasks++;
            queue.pending = Vectors.add(queue.pending, demand, -1);
            queue.pendingTasks--;
        }
    }

    /** Counts a task that was read from a checkpoint. */
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

    void setOverMaximumSince(Instant since) {
        overMaximumSince = since;
    }

    /** Forgets since when it has used more than its maximum, unless it still does and that is enforced. */
    void updateOverMaximum(boolean enforced) {
        if (!enforced || !isMaximumEnforced() || !exceedsMaximum()) {
            overMaximumSince = null;
        }
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
