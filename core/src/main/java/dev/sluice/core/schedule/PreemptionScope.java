package dev.sluice.core.schedule;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks may be preempted for a pending task, and in which order.
 *
 * <p>Queues from the leaf of the pending task up to root have levels, from 0. A victim is judged at the level of the
 * lowest queue that contains both tasks. For a guarantee, every queue of the pending task below that level must have
 * a {@code fair} parent and no fence, and stay within its guaranteed resources if the task is allocated; one of them
 * must guarantee something that the task requests. Priorities are compared at that level, too: as the queues just below
 * it show them, with offsets and fences.
 */
final class PreemptionScope {

    private static final int NOWHERE = -1;

    private final Queue[] path;
    private final long[] demand;
    private final int priority;
    private final Partition partition;
    private final StopReason reason;

    /** The only application whose tasks are not preempted, or null if no task of the leaf is. */
    private final @Nullable Application application;

    /** A victim's level must be greater than this. */
    private int entitledLevel = Integer.MAX_VALUE;

    /** The highest level of a victim. */
    private int levelMax;

    private @Nullable VictimLeaf[] leaves = {};

    /** A leaf with tasks, as seen from the pending task. */
    private static final class VictimLeaf {
        private final int level;
        private final boolean comparesPriorities;
        private final boolean fixedPriority;
        private final long offset;
        private final double[] share;

        private VictimLeaf(int level, boolean comparesPriorities, boolean fixedPriority, long offset, double[] share) {
            this.level = level;
            this.comparesPriorities = comparesPriorities;
            this.fixedPriority = fixedPriority;
            this.offset = offset;
            this.share = share;
        }

        private long priority(int ofTask) {
            return !comparesPriorities ? 0 : fixedPriority ? offset : offset + ofTask;
        }
    }

    private PreemptionScope(
            Queue leaf,
            long[] demand,
            int priority,
            Partition partition,
            StopReason reason,
            @Nullable Application application) {
        List<Queue> queues = new ArrayList<>();
        for (Queue queue = leaf; queue != null; queue = queue.parent()) {
            queues.add(queue);
        }
        this.path = queues.toArray(new Queue[0]);
        this.demand = demand;
        this.priority = priority;
        this.partition = partition;
        this.reason = reason;
        this.application = application;
    }

    /** Returns the scope of a pending task in a leaf that is below its guaranteed resources. */
    static PreemptionScope ofGuarantee(Queue leaf, long[] demand, int priority, Partition partition) {
        PreemptionScope scope = new PreemptionScope(leaf, demand, priority, partition, StopReason.GUARANTEE, null);
        int level = 0;
        while (level < scope.path.length - 1
                && !scope.path[level].isPreemptionFence()
                && scope.path[level + 1].servesGuaranteesFirst()
                && scope.staysWithinGuarantee(scope.path[level])) {
            if (scope.entitledLevel == Integer.MAX_VALUE && scope.isGuaranteed(scope.path[level])) {
                scope.entitledLevel = level;
            }
            level++;
        }
        scope.levelMax = level;
        return scope;
    }

    /** Returns the scope of a pending task that preempts tasks of lower priority in the same leaf. */
    static PreemptionScope ofPriority(Application application, long[] demand, int priority, Partition partition) {
        PreemptionScope scope =
                new PreemptionScope(application.queue(), demand, priority, partition, StopReason.PRIORITY, application);
        scope.entitledLevel = NOWHERE;
        scope.levelMax = 0;
        return scope;
    }

    /** Returns the scope of a queue that uses more than its maximum: all tasks below it. */
    static PreemptionScope ofQuota(Queue queue, Partition partition) {
        return new PreemptionScope(queue, Vectors.empty(), 0, partition, StopReason.QUOTA, null);
    }

    /** Returns whether the queue guarantees some of what the task requests. */
    private boolean isGuaranteed(Queue queue) {
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > 0 && queue.guaranteed(type) > 0) {
                return true;
            }
        }
        return false;
    }

    private boolean staysWithinGuarantee(Queue queue) {
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > 0
                    && queue.guaranteed(type) > 0
                    && demand[type] > queue.guaranteed(type) - queue.allocated(type)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the fence that keeps the victims below it, or null. Only of a guarantee that the task is below, below the
     * fence or of the fenced queue.
     */
    @Nullable Queue fence() {
        for (int level = 0; level < path.length - 1 && staysWithinGuarantee(path[level]); level++) {
            if (path[level].isPreemptionFence()) {
                return path[level];
            }
        }
        return null;
    }

    /** Returns whether the task is within a guarantee of its queues for something that it requests. */
    boolean hasGuarantee() {
        for (int level = 0; level < path.length && staysWithinGuarantee(path[level]); level++) {
            if (isGuaranteed(path[level])) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether there can be no victims: none is entitled, or a maximum below all of them is exceeded. */
    boolean isEmpty() {
        return entitledLevel >= levelMax || isOverMaxBelowVictims();
    }

    private boolean isOverMaxBelowVictims() {
        for (int level = 0; level <= entitledLevel; level++) {
            if (path[level].typeOverMax(demand) >= 0) {
                return true;
            }
        }
        return false;
    }

    StopReason reason() {
        return reason;
    }

    long[] demand() {
        return demand;
    }

    /** Returns the leaf of the pending task. */
    Queue leaf() {
        return path[0];
    }

    /**
     * Returns the largest number of victims: 1 if more would lower the number of running tasks of a load class that may
     * reclaim loans.
     */
    int victimsMax() {
        for (Queue queue : path) {
            if (reason == StopReason.PRIORITY && queue.rebalances()) {
                return 1;
            }
        }
        return Integer.MAX_VALUE;
    }

    /** Returns whether this task, which is not protected, may be a victim. */
    boolean includes(Task task) {
        VictimLeaf leaf = of(task);
        if (leaf.level <= entitledLevel || leaf.level > levelMax) {
            return false;
        }
        return reason == StopReason.PRIORITY
                ? task.application() != application && task.kind().priority() < priority
                : leaf.priority(task.kind().priority()) <= priorityAt(leaf);
    }

    private long priorityAt(VictimLeaf leaf) {
        return leaf.comparesPriorities ? shownPriority(path, leaf.level).priority(priority) : 0;
    }

    /** Compares two victims: by (lowest priority, queue furthest above its guarantee, most recently started). */
    int compare(Task a, Task b) {
        VictimLeaf leafOfA = of(a);
        VictimLeaf leafOfB = of(b);
        int order = Long.compare(
                leafOfA.priority(a.kind().priority()), leafOfB.priority(b.kind().priority()));
        order = order != 0 ? order : DominantShare.compare(leafOfB.share, leafOfA.share);
        return order != 0 ? order : Task.MOST_RECENT.compare(a, b);
    }

    private VictimLeaf of(Task task) {
        Queue leaf = task.application().queue();
        if (leaf.index() >= leaves.length) {
            leaves = Arrays.copyOf(leaves, partition.queues().indexBound());
        }
        VictimLeaf known = leaves[leaf.index()];
        if (known == null) {
            known = describe(leaf);
            leaves[leaf.index()] = known;
        }
        return known;
    }

    private VictimLeaf describe(Queue leaf) {
        List<Queue> queues = new ArrayList<>();
        Queue common = leaf;
        while (!common.contains(path[0])) {
            queues.add(common);
            common = common.parent() == null ? path[path.length - 1] : common.parent();
        }
        int level = 0;
        while (path[level] != common) {
            level++;
        }
        VictimLeaf shown = shownPriority(queues.toArray(new Queue[0]), queues.size());
        boolean compares = reason == StopReason.PRIORITY || common.usesPriorities();
        return new VictimLeaf(level, compares, shown.fixedPriority, shown.offset, DominantShare.of(leaf, partition));
    }

    /** Returns how the priority of a task is seen above the first queues of its path. */
    private static VictimLeaf shownPriority(Queue[] queues, int count) {
        boolean fixed = false;
        long offset = 0;
        for (int i = 0; i < count; i++) {
            QueueProperties properties = queues[i].configuration().properties();
            fixed |= properties.priorityFence();
            offset = properties.priorityFence() ? properties.priorityOffset() : offset + properties.priorityOffset();
        }
        return new VictimLeaf(0, true, fixed, offset, new double[0]);
    }

    /** Returns whether the queues of the pending task stay within their maxima if it replaces the removed amounts. */
    boolean isWithinMaxima(Removed removed) {
        for (Queue queue : path) {
            for (int type = 0; type < demand.length; type++) {
                if (demand[type] > 0
                        && queue.max(type) != Long.MAX_VALUE
                        && demand[type] - removed.amount(queue, type) > queue.max(type) - queue.allocated(type)) {
                    return false;
                }
            }
        }
        return true;
    }
}
