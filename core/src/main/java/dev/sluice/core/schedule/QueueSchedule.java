package dev.sluice.core.schedule;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.rank.PriorityCounts;
import dev.sluice.core.share.Child;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The orders in one queue: of its applications if it is a leaf, of its children if it is a parent. */
final class QueueSchedule implements Child {

    private final Queue queue;
    private @Nullable QueueSchedule parent;
    private int position;
    private List<QueueSchedule> children = List.of();
    private final @Nullable LeafOrder applications;
    private final @Nullable SharePolicy policy;
    private final long priorityOffset;
    private final boolean priorityFence;
    private final SubmissionOrder submissionOrder = new SubmissionOrder();
    private final PriorityCounts childPriorities = new PriorityCounts();
    private final List<Backlog> overBudget = new ArrayList<>();
    private boolean counted;
    private long countedPriority;

    /** The shapes of what is pending below it; null where nobody ever asks for them, see {@link #tracksPendingClasses}. */
    private final @Nullable PendingClasses equivalenceClasses;

    /** Whether neither it nor a queue below it has a maximum, and all parents from here down share fairly. */
    private boolean canSkipAsAWhole;

    /** Whether neither it nor a queue below it changes priorities. */
    private boolean withoutOffsets;

    /** Whether it was found to have nothing more to give in this cycle. */
    private boolean skipped;

    /** Which nodes there are; null where nobody asks what could start, that is, not below a parent that shares by load. */
    private final @Nullable NodeClasses nodes;

    private final @Nullable PendingCounts pendingOfActive;
    private final @Nullable PendingCounts pendingOfInactive;

    private QueueSchedule(
            Queue queue, @Nullable LeafOrder applications, @Nullable SharePolicy policy, @Nullable NodeClasses nodes) {
        this.queue = queue;
        this.applications = applications;
        this.policy = policy;
        this.priorityOffset = queue.configuration().properties().priorityOffset();
        this.priorityFence = queue.configuration().properties().priorityFence();
        this.equivalenceClasses = tracksPendingClasses(queue) ? new PendingClasses() : null;
        this.canSkipAsAWhole = !hasMaximum(queue);
        this.withoutOffsets = priorityOffset == 0;
        this.nodes = isBelowLoad(queue) ? nodes : null;
        this.pendingOfActive = this.nodes == null ? null : new PendingCounts(this.nodes);
        this.pendingOfInactive = this.nodes == null ? null : new PendingCounts(this.nodes);
    }

    private static boolean isBelowLoad(Queue queue) {
        boolean below = false;
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            below |= above.sharePolicy() == SharePolicyKind.LOAD;
        }
        return below;
    }

    /** Whether this queue or one above it may come to an end of what it may take, by its maximum, or gives out slices of what is free. */
    private static boolean tracksPendingClasses(Queue queue) {
        boolean counts = false;
        for (Queue each = queue; each != null; each = each.parent()) {
            counts |= !each.configuration().max().isEmpty() || each.sharePolicy() == SharePolicyKind.USAGE;
        }
        return counts;
    }

    static QueueSchedule leaf(Queue queue, LeafOrder applications, NodeClasses nodes) {
        return new QueueSchedule(queue, applications, null, nodes);
    }

    static QueueSchedule parent(Queue queue, SharePolicy policy) {
        return new QueueSchedule(queue, null, policy, null);
    }

    /** Takes these as the queues below it, with their orders as they are; its policy knows nothing of them yet. */
    void adopt(List<QueueSchedule> newChildren) {
        children = List.copyOf(newChildren);
        canSkipAsAWhole = !hasMaximum(queue)
                && queue.sharePolicy() == SharePolicyKind.FAIR
                && children.stream().allMatch(child -> child.canSkipAsAWhole);
        for (int i = 0; i < children.size(); i++) {
            QueueSchedule child = children.get(i);
            child.parent = this;
            child.position = i;
            child.counted = false;
            child.countedPriority = 0;
            withoutOffsets &= child.withoutOffsets;
            if (equivalenceClasses != null && child.equivalenceClasses != null) {
                equivalenceClasses.addAll(child.equivalenceClasses);
            }
        }
    }

    /** Takes note that an application of this leaf has pending tasks of another shape. */
    void addClass(EquivalenceClass equivalenceClass) {
        for (QueueSchedule each = this; each != null && each.equivalenceClasses != null; each = each.parent) {
            each.equivalenceClasses.add(equivalenceClass);
        }
    }

    /** Takes note that an application of this leaf has no pending tasks of this shape any more. */
    void removeClass(EquivalenceClass equivalenceClass) {
        for (QueueSchedule each = this; each != null && each.equivalenceClasses != null; each = each.parent) {
            each.equivalenceClasses.remove(equivalenceClass);
        }
    }

    /**
     * Where the pending tasks of an application of this leaf are counted; null if nobody asks for them or the leaf's order serves one such
     * application at a time.
     */
    @Nullable PendingCounts pendingCountsFor(Application application) {
        boolean served = queue.sortPolicy() == ApplicationSortPolicy.STATE_AWARE
                ? application.state() == ApplicationState.RUNNING
                : application.isSchedulable();
        if (!served) {
            return null;
        }
        return application.isActive() ? pendingOfActive : pendingOfInactive;
    }

    /** The pending tasks of applications of this leaf that are served and active. */
    PendingCounts pendingOfActive() {
        return counted(pendingOfActive);
    }

    /** The pending tasks of applications of this leaf that are served and may become active. */
    PendingCounts pendingOfInactive() {
        return counted(pendingOfInactive);
    }

    private PendingCounts counted(@Nullable PendingCounts counts) {
        if (counts == null) {
            throw new IllegalStateException(queue + " is not below a parent that shares by load");
        }
        return counts;
    }

    /** Whether any ready node is large enough for tasks of this shape; only below a parent that shares by load. */
    boolean isFeasible(EquivalenceClass equivalenceClass) {
        return nodes != null && nodes.isFeasibleOnReadyNodes(equivalenceClass);
    }

    @Override
    public long startableTasks() {
        return new StartableTasks().count(this);
    }

    /** The most that preemptions which policies above plan will free for it, as a vector. */
    long[] expectedFreed() {
        long[] expectedFreed = Vectors.empty();
        for (QueueSchedule above = parent; above != null; above = above.parent) {
            expectedFreed = Vectors.sum(expectedFreed, above.policy().expectedFreed(), 1);
        }
        return expectedFreed;
    }

    /** Whether a class that it is in has lost tasks to others in this cycle. */
    boolean hasLostTasks() {
        QueueSchedule child = this;
        for (QueueSchedule above = parent; above != null; child = above, above = above.parent) {
            if (above.policy().hasPreempted(child)) {
                return true;
            }
        }
        return false;
    }

    /** Whether everything that is pending below it takes more than this of one same resource; false also where that is not known. */
    boolean allExceed(long[] limits) {
        return equivalenceClasses != null && equivalenceClasses.allExceed(limits);
    }

    /** The most that the policies above let it take, which have begun their cycle: parents stand before their children. */
    long[] allowance() {
        long[] allowance = SharePolicy.UNBOUNDED;
        QueueSchedule child = this;
        for (QueueSchedule above = parent; above != null; child = above, above = above.parent) {
            allowance = Vectors.smaller(allowance, above.policy().allowance(child.queue));
        }
        return allowance;
    }

    /** Whether a parent above it shares by usage. */
    boolean isBelowUsage() {
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            if (above.sharePolicy() == SharePolicyKind.USAGE) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether everything that is pending below it takes more than this budget of one same resource, and it makes no difference whether each of these
     * tasks is passed over or all at once. It would if something else kept some of them from being tried: a maximum of any queue above, here or
     * below. It would if a policy below minded in which order tasks are passed over: none but {@code fair} does not. And it would if the
     * priority of the parent went down with every task that is passed over: then it must not be compared with others, or be 0 throughout. Nor is it done
     * below a parent that is itself drawn by lot, whose budget would be asked about the same tasks in another order.
     */
    boolean exceedsBudgetEntirely(long[] budget) {
        return canSkipAsAWhole
                && parent != null
                && !parent.isBelowUsage()
                && parent.hasSteadyPriority()
                && allExceed(budget)
                && !isBelowMaximum();
    }

    private boolean hasSteadyPriority() {
        return parent == null
                || (withoutOffsets && equivalenceClasses != null && equivalenceClasses.areUnprioritised());
    }

    private boolean isBelowMaximum() {
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            if (hasMaximum(above)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMaximum(Queue queue) {
        return !queue.configuration().max().isEmpty() || queue.maxApplications() != Long.MAX_VALUE;
    }

    /** The queues below it. */
    List<QueueSchedule> children() {
        return children;
    }

    /** Whether just these are below it, in this order. */
    boolean hasChildren(List<QueueSchedule> others) {
        return children.equals(others);
    }

    @Override
    public Queue queue() {
        return queue;
    }

    @Nullable QueueSchedule parent() {
        return parent;
    }

    @Override
    public int position() {
        return position;
    }

    boolean isLeaf() {
        return applications != null;
    }

    /** The order of its applications; only of a leaf. */
    LeafOrder applications() {
        if (applications == null) {
            throw new IllegalStateException(queue + " is a parent");
        }
        return applications;
    }

    /** Its applications by their submission. */
    SubmissionOrder submissionOrder() {
        return submissionOrder;
    }

    /** How it divides; only of a parent. */
    SharePolicy policy() {
        if (policy == null) {
            throw new IllegalStateException(queue + " is a leaf");
        }
        return policy;
    }

    @Override
    public boolean isEligible() {
        return !skipped && (applications != null ? applications.next() != null : policy().hasNext());
    }

    @Override
    public long priority() {
        if (priorityFence) {
            return priorityOffset;
        }
        return priorityOffset + (applications != null ? applications.highestPriority() : highestOfChildren());
    }

    private long highestOfChildren() {
        return childPriorities.isEmpty() ? 0 : childPriorities.highest();
    }

    /** Tells the policies from here up to root that something in this queue has changed. */
    void changed() {
        QueueSchedule above = parent;
        for (QueueSchedule child = this; above != null; child = above, above = above.parent) {
            above.count(child);
            above.policy().update(child);
        }
    }

    private void count(QueueSchedule child) {
        boolean counts = child.isEligible() && policy().serves(child);
        long priority = counts ? child.priority() : 0;
        if (counts == child.counted && priority == child.countedPriority) {
            return;
        }
        if (child.counted) {
            childPriorities.remove(child.countedPriority);
        }
        if (counts) {
            childPriorities.add(priority);
        }
        child.counted = counts;
        child.countedPriority = priority;
    }

    void setSkipped(boolean isSkipped) {
        skipped = isSkipped;
        changed();
    }

    /** Takes note that tasks below this child were passed over because of its budget. */
    void addOverBudget(Backlog backlog) {
        overBudget.add(backlog);
    }

    /** Forgets the tasks that were passed over because of its budget, when a new cycle offers everything again that is still there. */
    void clearOverBudget() {
        if (!overBudget.isEmpty()) {
            overBudget.clear();
            changed();
        }
    }

    @Override
    public boolean isOverBudget() {
        return !overBudget.isEmpty();
    }

    @Override
    public void requeue() {
        List<Backlog> again = List.copyOf(overBudget);
        overBudget.clear();
        for (Backlog backlog : again) {
            backlog.application.requeueInCycle(backlog);
        }
    }
}
