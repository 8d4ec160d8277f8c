package dev.sluice.core.schedule;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.rank.PriorityCounts;
import dev.sluice.core.share.Child;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One queue in the schedule: the order of its applications if it is a leaf, its share policy and children if it is a
 * parent.
 */
final class QueueSchedule implements Child {

    private final Queue queue;
    private @Nullable QueueSchedule parent;
    private int position;
    private List<QueueSchedule> children = List.of();
    private final @Nullable LeafOrder applications;
    private final @Nullable SharePolicy policy;
    private final PoliciesAbove policiesAbove;
    private final long priorityOffset;
    private final boolean priorityFence;
    private final boolean lendsPriority;
    private final SubmissionOrder submissionOrder = new SubmissionOrder();
    private final PriorityCounts childPriorities = new PriorityCounts();
    private final List<Backlog> overBudget = new ArrayList<>();
    private final List<ApplicationSchedule> gangsOverBudget = new ArrayList<>();
    private boolean counted;
    private long countedPriority;

    /** The equivalence classes pending below it; null where they are not needed, see {@link #tracksPendingClasses}. */
    private final @Nullable PendingClasses equivalenceClasses;

    /**
     * Whether neither this queue nor a queue below it has a maximum or limits, and the policies of all parents from
     * here down {@linkplain SharePolicy#ignoresSkipOrder ignore} the order in which tasks are skipped.
     */
    private boolean canSkipAsAWhole;

    /** Whether neither this queue nor a queue below it has a priority offset. */
    private boolean withoutOffsets;

    /** The applications of this leaf that have limits, if a policy above counts startable tasks. */
    private final Set<ApplicationSchedule> limited = new LinkedHashSet<>();

    /** Whether it was skipped in this cycle because it has no eligible candidate. */
    private boolean skipped;

    /** Decides feasibility for {@link #startableTasks}; null unless this is a leaf and a policy above needs that count. */
    private final @Nullable NodeClasses nodes;

    private final @Nullable PendingCounts pendingOfActive;
    private final @Nullable PendingCounts pendingOfInactive;

    private QueueSchedule(
            Queue queue,
            @Nullable LeafOrder applications,
            @Nullable SharePolicy policy,
            PoliciesAbove policiesAbove,
            @Nullable NodeClasses nodes) {
        this.queue = queue;
        this.policiesAbove = policiesAbove;
        this.applications = applications;
        this.policy = policy;
        this.priorityOffset = queue.configuration().properties().priorityOffset();
        this.priorityFence = queue.configuration().properties().priorityFence();
        this.lendsPriority = lendsPriority(queue);
        this.equivalenceClasses = tracksPendingClasses() ? new PendingClasses() : null;
        this.canSkipAsAWhole = !hasMaximum(queue);
        this.withoutOffsets = priorityOffset == 0;
        this.nodes = policiesAbove.countStartableTasks() ? nodes : null;
        this.pendingOfActive = this.nodes == null ? null : new PendingCounts(this.nodes);
        this.pendingOfInactive = this.nodes == null ? null : new PendingCounts(this.nodes);
    }

    /**
     * Returns whether this queue or one above it has a maximum or budgets that a task may exceed, so that its pending
     * tasks may all exceed a limit.
     */
    private boolean tracksPendingClasses() {
        boolean counts = policiesAbove.haveBudgetsBelowDemand() || (policy != null && policy.hasBudgetsBelowDemand());
        for (Queue each = queue; each != null; each = each.parent()) {
            counts |= !each.configuration().max().isEmpty();
        }
        return counts;
    }

    static QueueSchedule leaf(Queue queue, LeafOrder applications, PoliciesAbove policiesAbove, NodeClasses nodes) {
        return new QueueSchedule(queue, applications, null, policiesAbove, nodes);
    }

    static QueueSchedule parent(Queue queue, SharePolicy policy, PoliciesAbove policiesAbove) {
        return new QueueSchedule(queue, null, policy, policiesAbove, null);
    }

    /** Sets the children, whose orders are kept. Does not update the policy. */
    void adopt(List<QueueSchedule> newChildren) {
        children = List.copyOf(newChildren);
        canSkipAsAWhole = !hasMaximum(queue)
                && policy().ignoresSkipOrder()
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

    /** Called when an application of this leaf has pending tasks of another class. */
    void addClass(EquivalenceClass equivalenceClass) {
        for (QueueSchedule each = this; each != null && each.equivalenceClasses != null; each = each.parent) {
            each.equivalenceClasses.add(equivalenceClass);
        }
    }

    /** Called when an application of this leaf has no pending tasks of this class any more. */
    void removeClass(EquivalenceClass equivalenceClass) {
        for (QueueSchedule each = this; each != null && each.equivalenceClasses != null; each = each.parent) {
            each.equivalenceClasses.remove(equivalenceClass);
        }
    }

    /**
     * Returns the counts that include the pending tasks of an application of this leaf. Returns null if they are not
     * needed, if its user or group has limits, or if the leaf's order starts applications like this one at a time.
     */
    @Nullable PendingCounts pendingCountsFor(Application application) {
        if (!isServed(application) || !application.limits().isEmpty()) {
            return null;
        }
        return application.isActive() ? pendingOfActive : pendingOfInactive;
    }

    /** Returns whether the order of this leaf serves the application whatever others are doing. */
    boolean isServed(Application application) {
        return application.isSchedulable()
                && (queue.sortPolicy() != ApplicationSortPolicy.STATE_AWARE
                        || application.state() == ApplicationState.RUNNING);
    }

    /** Returns whether the order in which tasks of this leaf are skipped makes no difference. */
    boolean ignoresSkipOrder() {
        return policiesAbove.ignoreSkipOrder()
                && queue.sortPolicy() != ApplicationSortPolicy.STATE_AWARE
                && !lendsPriority;
    }

    /**
     * Returns whether tasks of others are served earlier as long as a task of this leaf is not skipped: its priority
     * counts for a queue above, below which tasks are not served by priority.
     */
    private static boolean lendsPriority(Queue leaf) {
        Queue queue = leaf;
        boolean servesByPriority = leaf.usesPriorities();
        for (Queue above = leaf.parent(); above != null; queue = above, above = above.parent()) {
            servesByPriority |= queue.configuration().properties().priorityFence();
            if (above.usesPriorities() && !servesByPriority) {
                return true;
            }
            servesByPriority &= above.usesPriorities();
        }
        return false;
    }

    /** Called when an application joins this leaf. */
    void joined(ApplicationSchedule application) {
        if (nodes != null && !application.application.limits().isEmpty()) {
            limited.add(application);
        }
    }

    /** Called when an application leaves this leaf. */
    void left(ApplicationSchedule application) {
        limited.remove(application);
    }

    /** Returns the applications whose users or groups have limits; empty if no policy above counts startable tasks. */
    Set<ApplicationSchedule> limitedApplications() {
        return limited;
    }

    /** Returns the counts of the pending tasks of active applications of this leaf. */
    PendingCounts pendingOfActive() {
        return counted(pendingOfActive);
    }

    /** Returns the counts of the pending tasks of applications of this leaf that are not active yet. */
    PendingCounts pendingOfInactive() {
        return counted(pendingOfInactive);
    }

    private PendingCounts counted(@Nullable PendingCounts counts) {
        if (counts == null) {
            throw new IllegalStateException("no share policy above " + queue + " counts startable tasks");
        }
        return counts;
    }

    /**
     * Returns whether any ready node is large enough for tasks of this class; false if no policy above counts startable
     * tasks.
     */
    boolean isFeasible(EquivalenceClass equivalenceClass) {
        return nodes != null && nodes.isFeasibleOnReadyNodes(equivalenceClass);
    }

    @Override
    public long startableTasks() {
        return new StartableTasks(false).count(this);
    }

    @Override
    public long startableByPreemption() {
        return queue.isPreemptionDisabled() ? 0 : new StartableTasks(true).count(this);
    }

    /**
     * Returns the maximum capacity, as a vector, that planned preemptions of the policies above will free for this
     * queue.
     */
    long[] expectedFreed() {
        long[] expectedFreed = Vectors.empty();
        for (QueueSchedule above = parent; above != null; above = above.parent) {
            expectedFreed = Vectors.sum(expectedFreed, above.policy().expectedFreed(), 1);
        }
        return expectedFreed;
    }

    /** Returns whether a class that contains this queue has lost tasks to others in this cycle. */
    boolean hasLostTasks() {
        QueueSchedule child = this;
        for (QueueSchedule above = parent; above != null; child = above, above = above.parent) {
            if (above.policy().hasPreempted(child)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether everything pending below this queue exceeds the limit of the same resource; false if that is not
     * known.
     */
    boolean allExceed(long[] limits) {
        return equivalenceClasses != null && equivalenceClasses.allExceed(limits);
    }

    /**
     * Returns the smallest allowance of the policies above, which have begun their cycle because parents come before
     * their children.
     */
    long[] allowance() {
        long[] allowance = SharePolicy.UNBOUNDED;
        QueueSchedule child = this;
        for (QueueSchedule above = parent; above != null; child = above, above = above.parent) {
            allowance = Vectors.smaller(allowance, above.policy().allowance(child.queue));
        }
        return allowance;
    }

    /**
     * Returns whether a policy above serves this queue once for each of its tasks, because they may exceed its budgets
     * one by one.
     */
    boolean isServedTaskByTask() {
        return policiesAbove.haveBudgetsBelowDemand();
    }

    /**
     * Returns whether the queue can be skipped as a whole for this budget: everything pending below it exceeds the
     * budget of the same resource, and skipping each task separately would have the same effect. That requires:
     *
     * <ul>
     * <li>no maximum and no limit of a queue above, here or below, which would keep some of the tasks from being tried;
     * <li>no policy below that depends on the order in which tasks are skipped;
     * <li>a priority of the parent that does not fall with each skipped task: it is not compared with others, or all
     *     priorities are 0;
     * <li>no policy above the parent whose budget would be checked for the same tasks in another order.
     * </ul>
     */
    boolean exceedsBudgetEntirely(long[] budget) {
        return canSkipAsAWhole
                && parent != null
                && !parent.isServedTaskByTask()
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
        return !queue.configuration().max().isEmpty()
                || queue.maxApplications() != Long.MAX_VALUE
                || !queue.configuration().limits().isEmpty();
    }

    List<QueueSchedule> children() {
        return children;
    }

    /** Returns whether these are exactly its children, in this order. */
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

    /** Returns the order of its applications; throws {@link IllegalStateException} if it is a parent. */
    LeafOrder applications() {
        if (applications == null) {
            throw new IllegalStateException(queue + " is a parent");
        }
        return applications;
    }

    SubmissionOrder submissionOrder() {
        return submissionOrder;
    }

    /** Returns its share policy; throws {@link IllegalStateException} if it is a leaf. */
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

    /** Updates the policies from the parent up to the root after a change in this queue. */
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

    /** Records a backlog below this queue that was skipped because of the queue's budget. */
    void addOverBudget(Backlog backlog) {
        overBudget.add(backlog);
    }

    /** Records a gang below this queue that was skipped because of the queue's budget. */
    void addOverBudget(ApplicationSchedule gang) {
        gangsOverBudget.add(gang);
    }

    /** Forgets what was skipped because of the budget, at the start of a cycle, which requeues all of it. */
    void clearOverBudget() {
        if (isOverBudget()) {
            overBudget.clear();
            gangsOverBudget.clear();
            changed();
        }
    }

    @Override
    public boolean isOverBudget() {
        return !overBudget.isEmpty() || !gangsOverBudget.isEmpty();
    }

    @Override
    public void requeue() {
        List<Backlog> again = List.copyOf(overBudget);
        List<ApplicationSchedule> gangs = List.copyOf(gangsOverBudget);
        overBudget.clear();
        gangsOverBudget.clear();
        for (Backlog backlog : again) {
            backlog.application.requeueInCycle(backlog);
        }
        gangs.forEach(ApplicationSchedule::requeueInCycle);
    }
}
