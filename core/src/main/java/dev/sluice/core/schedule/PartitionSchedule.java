package dev.sluice.core.schedule;

import dev.sluice.core.share.CycleStart;
import dev.sluice.core.share.Reclaim;
import dev.sluice.core.share.ShareFigures;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Changes;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All orders that the scheduler needs for one partition; see the package description.
 *
 * <p>Nothing here is part of the state: it can be rebuilt from the state at any time, with the same result. Between
 * rebuilds, every order is updated from the {@linkplain Changes changes} that events have made. What a cycle skips
 * leaves its order until the next cycle begins.
 */
public final class PartitionSchedule {

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses = new EquivalenceClasses();
    private final NodeClasses nodeClasses;
    private final List<Backlog> skippedBacklogs = new ArrayList<>();
    private final List<ApplicationSchedule> skippedApplications = new ArrayList<>();
    private final LimitWaits limitWaits = new LimitWaits();
    private final List<QueueSchedule> skippedQueues = new ArrayList<>();
    private final List<QueueSchedule> overBudget = new ArrayList<>();

    /** The leaves in which applications were skipped in this cycle; may contain duplicates. */
    private final List<QueueSchedule> leavesWithSkipped = new ArrayList<>();

    private final List<QueueSchedule> budgetedQueues = new ArrayList<>();
    private final List<long[]> budgets = new ArrayList<>();

    /** The loans that may be reclaimed for the current candidate, those of the highest parent first. */
    private final List<Reclaim> reclaims = new ArrayList<>();

    private final Map<Reclaim, VictimSearch> planned = new LinkedHashMap<>();
    private final Map<Reclaim, VictimSearch> exceedsPlan = new LinkedHashMap<>();

    /** The parents that may reclaim loans in this cycle, each before the parents below it. */
    private final List<QueueSchedule> reclaiming = new ArrayList<>();

    private @Nullable ApplicationSchedule[] applications = {};
    private final QueueSchedules queues;
    private final NodeCapacityIndex capacityIndex;
    private int types;

    /** Creates the share policies of parent queues. */
    public interface PolicyFactory {
        SharePolicy make(Queue parent, Partition partition);
    }

    /** Creates the schedule of a partition with the configured share policies. */
    public PartitionSchedule(Partition partition) {
        this(partition, ConfiguredPolicies::sharePolicy);
    }

    /** Creates the schedule of a partition with share policies of the caller's choice. */
    public PartitionSchedule(Partition partition, PolicyFactory policies) {
        this.partition = partition;
        this.nodeClasses = new NodeClasses(partition);
        this.queues = new QueueSchedules(partition, policies, nodeClasses);
        for (Application application : partition.applications()) {
            for (TaskGroup group : application.groups()) {
                scheduleOf(application).groupChanged(group);
            }
        }
        partition.changes().clear();
        capacityIndex = new NodeCapacityIndex(partition, equivalenceClasses);
        rebuildQueues();
    }

    /**
     * Returns whether this is the schedule of the given partition object. A partition that was removed and added again
     * is another object.
     */
    public boolean isOf(Partition other) {
        return partition == other;
    }

    /** Begins a cycle: updates all orders and returns everything that the last cycle skipped to its order. */
    public void beginCycle() {
        sync();
        capacityIndex.beginCycle();
        planned.clear();
        exceedsPlan.clear();
        reclaiming.clear();
        for (QueueSchedule leaf : leavesWithSkipped) {
            if (leaf.applications().beginCycle()) {
                leaf.changed();
            }
        }
        leavesWithSkipped.clear();
        limitWaits.release(skippedBacklogs, skippedApplications);
        requeue();
    }

    private void requeue() {
        List<ApplicationSchedule> touched = new ArrayList<>(skippedApplications);
        for (ApplicationSchedule application : skippedApplications) {
            application.skipped = false;
        }
        for (Backlog backlog : skippedBacklogs) {
            backlog.application.requeue(backlog);
            touched.add(backlog.application);
        }
        skippedApplications.clear();
        skippedBacklogs.clear();
        overBudget.forEach(QueueSchedule::clearOverBudget);
        overBudget.clear();
        touched.forEach(ApplicationSchedule::changed);
        List<QueueSchedule> exhausted = List.copyOf(skippedQueues);
        skippedQueues.clear();
        exhausted.forEach(queue -> queue.setSkipped(false));
    }

    /** Updates all orders from the events that were applied since the last call. */
    void sync() {
        Changes changes = partition.changes();
        if (changes.isEmpty()) {
            return;
        }
        if (changes.nodesStale()) {
            nodeClasses.nodesChanged();
        }
        changes.redefined().forEach(this::redefine);
        // an indexed loop: this runs in every step of a cycle, and iterators would be a large part of its allocations
        List<TaskGroup> groups = changes.groups();
        for (int i = 0; i < groups.size(); i++) {
            TaskGroup group = groups.get(i);
            if (!group.application().isForgotten()) {
                scheduleOf(group.application()).groupChanged(group);
            }
        }
        capacityIndex.sync(changes);
        boolean stale = changes.queuesStale()
                || changes.nodesStale()
                || types != partition.types().size();
        boolean treeStale = changes.treeStale();
        List<Application> changed = changes.applications();
        for (int i = 0; i < changed.size(); i++) {
            leaveIfEnded(changed.get(i)); // before their queues are removed
        }
        if (stale) {
            for (int i = 0; i < changed.size(); i++) {
                if (!isEndedOrForgotten(changed.get(i))) {
                    scheduleOf(changed.get(i));
                }
            }
        } else {
            if (treeStale) {
                updateQueues();
            }
            for (int i = 0; i < changed.size(); i++) {
                if (!isEndedOrForgotten(changed.get(i))) {
                    update(changed.get(i));
                }
            }
        }
        changes.clear();
        if (stale) {
            rebuildQueues();
        }
    }

    /** Creates the schedule of an application again, since its queue or equivalence classes have changed. */
    private void redefine(Application application) {
        ApplicationSchedule former = existingSchedule(application);
        if (former != null) {
            former.leaveLeaf();
            former.clear();
            applications[application.index()] = null;
        }
        if (!isEndedOrForgotten(application)) {
            application.groups().forEach(scheduleOf(application)::groupChanged);
        }
    }

    private static boolean isEndedOrForgotten(Application application) {
        return application.state().isEnded() || application.isForgotten();
    }

    private void leaveIfEnded(Application application) {
        ApplicationSchedule schedule = isEndedOrForgotten(application) ? existingSchedule(application) : null;
        if (schedule != null) {
            schedule.leaveLeaf();
            schedule.clear();
            applications[application.index()] = null;
        }
    }

    private void update(Application application) {
        ApplicationSchedule schedule = scheduleOf(application);
        if (!schedule.hasLeaf()) {
            schedule.joinLeaf(queues.of(application.queue()));
        }
        schedule.changed();
    }

    private @Nullable ApplicationSchedule existingSchedule(Application application) {
        ApplicationSchedule schedule =
                application.index() < applications.length ? applications[application.index()] : null;
        return schedule == null || schedule.application != application ? null : schedule;
    }

    private ApplicationSchedule scheduleOf(Application application) {
        ApplicationSchedule existing = existingSchedule(application);
        if (existing != null) {
            return existing;
        }
        if (application.index() >= applications.length) {
            applications =
                    Arrays.copyOf(applications, Math.max(partition.applicationIndexBound(), applications.length * 2));
        }
        ApplicationSchedule stale = applications[application.index()];
        if (stale != null) {
            stale.leaveLeaf();
            stale.clear();
        }
        ApplicationSchedule schedule = new ApplicationSchedule(application, equivalenceClasses, nodeClasses);
        applications[application.index()] = schedule;
        return schedule;
    }

    /** Rebuilds the orders of all queues. */
    private void rebuildQueues() {
        types = partition.types().size();
        limitWaits.releaseAll(skippedBacklogs, skippedApplications);
        leavesWithSkipped.clear();
        skippedQueues.clear();
        overBudget.clear();
        queues.rebuild();
        // in submission order: each one is then appended to its leaf, whereas an insertion in between may renumber the
        // whole leaf
        List<ApplicationSchedule> inOrder = new ArrayList<>();
        for (ApplicationSchedule schedule : applications) {
            if (schedule != null && !schedule.application.state().isEnded()) {
                inOrder.add(schedule);
            }
        }
        inOrder.sort(ApplicationSchedule::bySubmission);
        for (ApplicationSchedule schedule : inOrder) {
            schedule.joinLeaf(queues.of(schedule.application.queue()));
        }
        queues.leavesChanged();
    }

    /** Creates the orders of new queues and rebuilds those of parents whose children changed. */
    private void updateQueues() {
        queues.update();
        leavesWithSkipped.removeIf(queue -> !queues.isCurrent(queue));
        skippedQueues.removeIf(queue -> !queues.isCurrent(queue));
        overBudget.removeIf(queue -> !queues.isCurrent(queue));
    }

    /**
     * Returns what the policy of the queue's parent computed for the queue at the start of the last cycle, or null.
     *
     * @param now the time for which figures that change between cycles are returned
     */
    public @Nullable ShareFigures figuresOf(Queue queue, Instant now) {
        Queue parent = queue.parent();
        QueueSchedule above = parent == null ? null : queues.find(parent);
        return above == null || above.isLeaf() ? null : above.policy().figuresOf(queue, now);
    }

    /** Returns what the policy of this queue divided at the start of the last cycle, or null. */
    public @Nullable ShareFigures dividedBy(Queue parent) {
        QueueSchedule schedule = queues.find(parent);
        return schedule == null || schedule.isLeaf() ? null : schedule.policy().divided();
    }

    /** Begins the cycle of every share policy, each parent before the parents below it. */
    public void beginPolicies(CycleStart start) {
        for (QueueSchedule queue : queues.parents()) {
            queue.policy().begin(new NestedCycleStart(start, queue.expectedFreed()), queue.allowance());
            if (queue.policy().isReclaiming()) {
                reclaiming.add(queue);
            }
        }
    }

    /**
     * The start of a cycle as seen by policies below parents that plan preemptions: capacity expected to be freed
     * counts as free.
     */
    private static final class NestedCycleStart implements CycleStart {

        private final CycleStart start;
        private final long[] expected;

        NestedCycleStart(CycleStart start, long[] expected) {
            this.start = start;
            this.expected = expected;
        }

        @Override
        public Instant now() {
            return start.now();
        }

        @Override
        public long[] free() {
            return expected.length == 0 ? start.free() : Vectors.sum(start.free(), expected, 1);
        }

        @Override
        public void emit(PartitionEvent event) {
            start.emit(event);
        }
    }

    /**
     * Called when a victim is preempted for a candidate below the same parent: updates the share policies from that
     * parent up.
     */
    public void preempted(Preemption preemption, Task victim) {
        QueueSchedule child = queues.of(preemption.reclaim().parent());
        child.policy().preempted(victim);
        notifyFreed(child, victim.demand());
        forgetOthers(planned, preemption.exceedsPlan() ? null : preemption.reclaim());
        forgetOthers(exceedsPlan, preemption.exceedsPlan() ? preemption.reclaim() : null);
    }

    private static void forgetOthers(Map<Reclaim, VictimSearch> searches, @Nullable Reclaim except) {
        searches.forEach((reclaim, search) -> {
            if (reclaim != except) {
                search.forget();
            }
        });
    }

    private static void notifyFreed(QueueSchedule parent, long[] demand) {
        QueueSchedule child = parent;
        for (QueueSchedule above = child.parent(); above != null; child = above, above = above.parent()) {
            above.policy().freed(child, demand);
        }
    }

    /** Returns the free capacity of all ready nodes together, as a vector; its slots are the idle workers. */
    public long[] free() {
        sync();
        return capacityIndex.free();
    }

    /**
     * Returns the next candidate, selected by walking the share policies down from the root, or null if none is
     * eligible. Skips parents that turn out to have no eligible child.
     */
    public @Nullable Candidate next() {
        sync();
        QueueSchedule root = queues.root();
        return root == null ? null : descend(root, false);
    }

    /**
     * Returns the next candidate for which loans may be reclaimed, or null. Called when no node fits anything any more.
     * Serves the reclaiming parents one after the other, from the root down. A class that has lost tasks in this cycle
     * is not a beneficiary.
     */
    public @Nullable Candidate nextBeneficiary() {
        sync();
        while (!reclaiming.isEmpty()) {
            QueueSchedule parent = reclaiming.get(0);
            Candidate candidate = parent.hasLostTasks() ? null : descend(parent, true);
            if (candidate != null) {
                return candidate;
            }
            reclaiming.remove(0);
        }
        return null;
    }

    private @Nullable Candidate descend(QueueSchedule from, boolean beneficiary) {
        budgetedQueues.clear();
        budgets.clear();
        reclaims.clear();
        QueueSchedule queue = from;
        while (queue.isEligible()) {
            if (queue.isLeaf()) {
                ApplicationSchedule application = queue.applications().next();
                if (application != null) {
                    return application.next().candidate(queue);
                }
            }
            boolean mustBenefit = beneficiary && queue == from;
            QueueSchedule child = queue.isLeaf() ? null : next(queue.policy(), mustBenefit);
            if (child == null && mustBenefit) {
                return null;
            }
            if (child == null) {
                skippedQueues.add(queue);
                queue.setSkipped(true);
                budgetedQueues.clear();
                budgets.clear();
                reclaims.clear();
                queue = from;
            } else {
                Reclaim reclaim = queue.policy().reclaim();
                if (reclaim != null) {
                    reclaims.add(reclaim);
                }
                long[] budget = queue.policy().budget();
                if (budget.length > 0) {
                    budgetedQueues.add(child);
                    budgets.add(budget);
                }
                queue = child;
            }
        }
        return null;
    }

    private static @Nullable QueueSchedule next(SharePolicy policy, boolean mustBenefit) {
        return (QueueSchedule) (mustBenefit ? policy.nextBeneficiary() : policy.next());
    }

    /** Skips the candidate if it exceeds the current budget of a queue above it; returns whether it does. */
    public boolean skipIfOverBudget(Candidate candidate) {
        for (int i = 0; i < budgetedQueues.size(); i++) {
            if (!isWithin(candidate.demand(), budgets.get(i))) {
                QueueSchedule child = budgetedQueues.get(i);
                if (child.exceedsBudgetEntirely(budgets.get(i))) {
                    parentOf(child).policy().exhausted(child);
                    return true;
                }
                child.addOverBudget(candidate.backlog);
                overBudget.add(child);
                skip(candidate);
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the tasks to preempt so that the candidate can take their place. Returns null if the candidate may not
     * reclaim loans, if no victims would make it fit, or if it exceeds the budget of a queue above it.
     *
     * @param over the first queue whose maximum the candidate would exceed, or null
     */
    public @Nullable Preemption preemptionFor(Candidate candidate, @Nullable Queue over) {
        for (int i = 0; i < budgets.size(); i++) {
            if (!isWithin(candidate.demand(), budgets.get(i))) {
                return null;
            }
        }
        for (Reclaim reclaim : reclaims) {
            if (over == null || isAtOrAbove(over, reclaim.parent())) {
                Preemption found = victimsFor(candidate.backlog.equivalenceClass, reclaim);
                if (found != null) {
                    return found;
                }
            }
        }
        reclaims.forEach(Reclaim::refused);
        return null;
    }

    private @Nullable Preemption victimsFor(EquivalenceClass equivalenceClass, Reclaim reclaim) {
        Preemption found = planned.computeIfAbsent(reclaim, key -> new VictimSearch(key, false))
                .find(equivalenceClass);
        if (found == null && reclaim.mayExceedPlan()) {
            found = exceedsPlan
                    .computeIfAbsent(reclaim, key -> new VictimSearch(key, true))
                    .find(equivalenceClass);
        }
        return found;
    }

    /**
     * Returns whether preemption may still reduce the allocation of this queue, so that a task that exceeds its maximum
     * now may fit later.
     */
    private boolean mayStillBeReclaimed(Queue queue) {
        for (QueueSchedule parent : reclaiming) {
            if (parent.policy().isReclaiming() && isAtOrAbove(queue, parent.queue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAtOrAbove(Queue queue, Queue below) {
        Queue each = below;
        while (each != null && each != queue) {
            each = each.parent();
        }
        return each == queue;
    }

    /** Called after tasks were preempted on a node and a candidate was allocated there. */
    public void preemptedOn(Node node) {
        capacityIndex.preemptedOn(node);
    }

    private static QueueSchedule parentOf(QueueSchedule child) {
        QueueSchedule parent = child.parent();
        if (parent == null) {
            throw new IllegalStateException("root has no budget");
        }
        return parent;
    }

    /**
     * Skips the candidate for the rest of the cycle because it would exceed the maximum of this queue. Skips the whole
     * queue if that holds for all its pending tasks, unless a policy above serves the queue task by task.
     */
    public void skipOverMax(Candidate candidate, Queue over) {
        QueueSchedule full = queues.of(over);
        if (!full.isServedTaskByTask() && full.allExceed(over.headroom()) && !mayStillBeReclaimed(over)) {
            skippedQueues.add(full);
            full.setSkipped(true);
        } else {
            skip(candidate);
        }
    }

    /**
     * Skips all tasks of the candidate's application that would exceed a limit of its user or group, for the rest of
     * the cycle and, where that makes no difference, until the limits permit them.
     */
    public void skipOverLimit(Candidate candidate) {
        ApplicationSchedule application = candidate.application;
        for (Backlog backlog : application.backlogs()) {
            LimitUsage over = backlog.skipped
                    ? null
                    : application.application.limits().firstOverMax(backlog.equivalenceClass.demand);
            if (over != null) {
                if (candidate.leaf.ignoresSkipOrder()) {
                    limitWaits.add(application, backlog, over);
                } else {
                    skippedBacklogs.add(backlog);
                }
                application.setSkipped(backlog);
            }
        }
        if (!application.isEligible()) {
            notifySkipped(candidate);
        }
        application.changed();
    }

    private static boolean isWithin(long[] demand, long[] budget) {
        for (int i = 0; i < demand.length; i++) {
            if (demand[i] > Vectors.limitAt(budget, i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first node in order that fits the candidate, or null. */
    public @Nullable Node firstFit(Candidate candidate) {
        return capacityIndex.first(candidate.backlog.equivalenceClass);
    }

    /**
     * Returns whether any node fits any pending task. If not, no queue needs to be visited: in a full cluster the cycle
     * ends at once. Each equivalence class is found not to fit at most once in a cycle, so calling this before every
     * candidate is cheap.
     */
    public boolean anythingFits() {
        sync();
        return capacityIndex.anythingFits();
    }

    /** Called after the candidate was allocated: updates the share policies above it. */
    public void placed(Candidate candidate) {
        QueueSchedule child = candidate.leaf;
        for (QueueSchedule above = child.parent(); above != null; child = above, above = above.parent()) {
            above.policy().placed(child, candidate.demand());
        }
    }

    /** Skips the candidate's backlog for the rest of the cycle, or until it is requeued. */
    public void skip(Candidate candidate) {
        ApplicationSchedule application = candidate.application;
        skippedBacklogs.add(candidate.backlog);
        application.setSkipped(candidate.backlog);
        if (!application.isEligible()) {
            notifySkipped(candidate);
        }
        application.changed();
    }

    private void notifySkipped(Candidate candidate) {
        candidate.leaf.applications().skipped(candidate.application);
        leavesWithSkipped.add(candidate.leaf);
    }

    /** Skips the candidate's whole application for the rest of the cycle. */
    public void skipApplication(Candidate candidate) {
        skippedApplications.add(candidate.application);
        setSkipped(candidate);
    }

    /**
     * Skips the candidate's whole application, because this limit of its user or group permits no further application,
     * for the rest of the cycle and, where that makes no difference, until the limit permits it.
     */
    public void skipAtMaxApplications(Candidate candidate, LimitUsage limit) {
        if (candidate.leaf.ignoresSkipOrder()) {
            limitWaits.add(candidate.application, null, limit);
            setSkipped(candidate);
        } else {
            skipApplication(candidate);
        }
    }

    private void setSkipped(Candidate candidate) {
        ApplicationSchedule application = candidate.application;
        application.skipped = true;
        notifySkipped(candidate);
        application.changed();
    }
}
