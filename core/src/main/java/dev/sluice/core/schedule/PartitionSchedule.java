package dev.sluice.core.schedule;

import dev.sluice.core.share.CycleStart;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.LoadWorkers;
import dev.sluice.core.share.Reclaim;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Changes;
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
 * Every order that the scheduler needs in one partition, kept up to date from what events have changed.
 *
 * <p>Nothing here is part of the state: all of it can be made anew from the state at any time, and then is the same. What is
 * passed over in a cycle leaves its order until the next cycle begins.
 */
public final class PartitionSchedule {

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses = new EquivalenceClasses();
    private final NodeClasses nodeClasses;
    private final List<Backlog> skippedBacklogs = new ArrayList<>();
    private final List<ApplicationSchedule> skippedApplications = new ArrayList<>();
    private final List<QueueSchedule> skippedQueues = new ArrayList<>();
    private final List<QueueSchedule> overBudget = new ArrayList<>();

    /** The leaves that were told of an application that was passed over, perhaps more than once. */
    private final List<QueueSchedule> leavesWithSkipped = new ArrayList<>();

    private final List<QueueSchedule> budgetedQueues = new ArrayList<>();
    private final List<long[]> budgets = new ArrayList<>();

    /** The loans that may be reclaimed for the task whose turn it is, those of the parent furthest up first. */
    private final List<Reclaim> reclaims = new ArrayList<>();

    private final Map<Reclaim, VictimSearch> planned = new LinkedHashMap<>();
    private final Map<Reclaim, VictimSearch> exceedsPlan = new LinkedHashMap<>();

    /** The parents that may reclaim loans in this cycle, from root down. */
    private final List<QueueSchedule> reclaiming = new ArrayList<>();

    private @Nullable ApplicationSchedule[] applications = {};
    private final QueueSchedules queues;
    private final NodeCapacityIndex capacityIndex;
    private int types;

    /** Makes the share policy of a parent queue. */
    public interface PolicyFactory {
        /** The policy of this parent. */
        SharePolicy make(Queue parent, Partition partition);
    }

    /** The orders of this partition, with the share policies that it configures. */
    public PartitionSchedule(Partition partition) {
        this(partition, ConfiguredPolicies::sharePolicy);
    }

    /** The orders of this partition, with share policies of the caller's making. */
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

    /** Whether these are the orders of this very partition. */
    public boolean isOf(Partition other) {
        return partition == other;
    }

    /** Brings all orders up to date, and everything that was passed over back into play. */
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

    /** Brings all orders up to date with the events that were applied since. */
    void sync() {
        Changes changes = partition.changes();
        if (changes.isEmpty()) {
            return;
        }
        if (changes.nodesStale()) {
            nodeClasses.nodesChanged();
        }
        // by index: this is done in every step of a cycle, and iterators would be a good part of what it allocates
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
            leaveIfEnded(changed.get(i)); // before queues that vanished do
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
        ApplicationSchedule former = applications[application.index()];
        if (former != null) {
            former.leaveLeaf();
            former.clear();
        }
        ApplicationSchedule schedule = new ApplicationSchedule(application, equivalenceClasses, nodeClasses);
        applications[application.index()] = schedule;
        return schedule;
    }

    /** Makes the orders of all queues anew. */
    private void rebuildQueues() {
        types = partition.types().size();
        leavesWithSkipped.clear();
        skippedQueues.clear();
        overBudget.clear();
        queues.rebuild();
        // in their order: each comes last in its leaf then, where one that comes in between may have all others
        // numbered anew
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

    /** Makes the orders of new queues, and those of the parents above queues that came or went. */
    private void updateQueues() {
        queues.update();
        leavesWithSkipped.removeIf(queue -> !queues.isCurrent(queue));
        skippedQueues.removeIf(queue -> !queues.isCurrent(queue));
        overBudget.removeIf(queue -> !queues.isCurrent(queue));
    }

    /** What the usage policy of its parent worked out for this queue when the last cycle began, or null. */
    public @Nullable UsageFigures usageOf(Queue queue) {
        Queue parent = queue.parent();
        QueueSchedule above = parent == null ? null : queues.find(parent);
        return above == null || above.isLeaf() ? null : above.policy().usageOf(queue);
    }

    /** What the load policy of its parent worked out for this queue when the last cycle began, or null. */
    public @Nullable LoadClassShare loadOf(Queue queue) {
        Queue parent = queue.parent();
        QueueSchedule above = parent == null ? null : queues.find(parent);
        return above == null || above.isLeaf() ? null : above.policy().loadOf(queue);
    }

    /** What the load policy of this queue had to divide when the last cycle began, or null. */
    public @Nullable LoadWorkers loadWorkersOf(Queue parent) {
        QueueSchedule schedule = queues.find(parent);
        return schedule == null || schedule.isLeaf() ? null : schedule.policy().loadWorkers();
    }

    /** Begins a cycle for every share policy, from root down. */
    public void beginPolicies(CycleStart start) {
        for (QueueSchedule queue : queues.parents()) {
            queue.policy().begin(new NestedCycleStart(start, queue.expectedFreed()), queue.allowance());
            if (queue.policy().isReclaiming()) {
                reclaiming.add(queue);
            }
        }
    }

    /** The beginning of a cycle as policies see it below others that plan preemptions. */
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

    /** Tells the share policies from a preemption's parent up that a task was preempted for another one below the same parent. */
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

    /** What is free on all ready nodes now, as a vector with a number for every type; slots are idle workers. */
    public long[] free() {
        sync();
        return capacityIndex.free();
    }

    /**
     * The task that is served next, walking the share policies down from root, or null when nothing is left in play. A parent that
     * turns out to have nothing to give is passed over for this cycle.
     */
    public @Nullable Candidate next() {
        sync();
        QueueSchedule root = queues.root();
        return root == null ? null : descend(root, false);
    }

    /**
     * The next task for which loans may be reclaimed, when no node has room for anything any more; or null. Parents are served one after the other, from
     * root down. A class that has lost tasks to others starts none.
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

    /** Passes over the task whose turn it is if it exceeds what a queue above it may take now; returns whether it does. */
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
     * The tasks to preempt for the task whose turn it is, so that it takes their place, or null: if it is not due any loans, no tasks on
     * loan would make it fit, or it exceeds what a queue may take that gives nothing back.
     *
     * @param over the first queue that the task would bring above its maximum, or null
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

    /** Whether preemption may still lower what this queue has, so that what exceeds its maximum now may not do so later. */
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

    /** Takes note that tasks were preempted on a node, and another one placed there. */
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
     * Passes over the task whose turn it is for the rest of the cycle because it would bring this queue above its maximum; and the whole queue,
     * if that is true of everything that is pending there. Below a parent that shares by usage a queue is drawn for every one of its tasks, and
     * leaves the draw with the last.
     */
    public void skipOverMax(Candidate candidate, Queue over) {
        QueueSchedule full = queues.of(over);
        if (!full.isBelowUsage() && full.allExceed(over.headroom()) && !mayStillBeReclaimed(over)) {
            skippedQueues.add(full);
            full.setSkipped(true);
        } else {
            skip(candidate);
        }
    }

    private static boolean isWithin(long[] demand, long[] budget) {
        for (int i = 0; i < demand.length; i++) {
            if (demand[i] > Vectors.limitAt(budget, i)) {
                return false;
            }
        }
        return true;
    }

    /** The first node in order with room for the task whose turn it is, or null. */
    public @Nullable Node firstFit(Candidate candidate) {
        return capacityIndex.first(candidate.backlog.equivalenceClass);
    }

    /**
     * Whether any node has room for any pending task, whoever's turn it is. In a full cluster the cycle is over then, without a look at anybody who
     * waits. Within a cycle each shape is found to have no room once, so that it costs little to ask before every turn.
     */
    public boolean anythingFits() {
        sync();
        return capacityIndex.anythingFits();
    }

    /** Tells the share policies above it that the task whose turn it is was placed. */
    public void placed(Candidate candidate) {
        QueueSchedule child = candidate.leaf;
        for (QueueSchedule above = child.parent(); above != null; child = above, above = above.parent()) {
            above.policy().placed(child, candidate.demand());
        }
    }

    /** Passes over this application's tasks of this shape for the rest of the cycle, or until they are offered again. */
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

    /** Passes over a whole application for the rest of the cycle. */
    public void skipApplication(Candidate candidate) {
        ApplicationSchedule application = candidate.application;
        skippedApplications.add(application);
        application.skipped = true;
        notifySkipped(candidate);
        application.changed();
    }
}
