package dev.sluice.core.schedule;

import dev.sluice.core.share.CycleStart;
import dev.sluice.core.share.Reclaim;
import dev.sluice.core.share.ShareFigures;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Changes;
import dev.sluice.core.state.GangProgress;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
    private final EquivalenceClasses equivalenceClasses;
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

    /** When more loans may be reclaimed without any event, or null. */
    private @Nullable Instant reclaimDue;

    private @Nullable ApplicationSchedule[] applications = {};
    private final QueueSchedules queues;
    private final NodeCapacityIndex capacityIndex;
    private final PreemptionPhase preemptions;
    private final GangWaits gangWaits;
    private final List<ApplicationSchedule> releasedGangs = new ArrayList<>();
    private final QuotaPreemption quotaPreemption;
    private final ReservationPlanner reservations;
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
        this.equivalenceClasses = new EquivalenceClasses(partition);
        this.nodeClasses = new NodeClasses(partition);
        this.queues = new QueueSchedules(partition, policies, nodeClasses);
        this.preemptions = new PreemptionPhase(partition, this);
        this.quotaPreemption = new QuotaPreemption(partition);
        for (Application application : partition.applications()) {
            for (TaskGroup group : application.groups()) {
                scheduleOf(application).groupChanged(group);
            }
        }
        partition.changes().clear();
        capacityIndex = new NodeCapacityIndex(partition, equivalenceClasses);
        gangWaits = new GangWaits(capacityIndex);
        reservations = new ReservationPlanner(partition, this, nodeClasses, capacityIndex, capacityIndex.backfill());
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
        requeue();
    }

    /**
     * Returns the phase of this cycle in which tasks are preempted for guaranteed resources and priorities. It begins
     * when no node fits anything any more.
     */
    public PreemptionPhase preemptionPhase(Instant now) {
        sync();
        preemptions.begin(now);
        return preemptions;
    }

    /** Returns the queues that use more than their maximum, and the tasks to preempt for that. */
    public QuotaPreemption quotaPreemption() {
        sync();
        return quotaPreemption;
    }

    /**
     * Returns when a cycle is due without any event because tasks may be preempted or a reservation is due then, or
     * null; known after the first cycle.
     */
    public @Nullable Instant due() {
        return earlier(reservations.due(), earlier(reclaimDue, earlier(quotaPreemption.due(), preemptions.due())));
    }

    /** Returns the earlier of two times, of which null is none. */
    public static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        return a == null || (b != null && b.isBefore(a)) ? b : a;
    }

    /** Returns who reserves nodes for tasks that no node fits. */
    public ReservationPlanner reservations() {
        return reservations;
    }

    EquivalenceClasses equivalenceClasses() {
        return equivalenceClasses;
    }

    QueueSchedules queues() {
        return queues;
    }

    NodeClasses nodeClasses() {
        return nodeClasses;
    }

    NodeCapacityIndex capacityIndex() {
        return capacityIndex;
    }

    /**
     * Returns everything that was skipped to its order. What waits for a limit in some leaves is returned, too, up to a
     * number, because preemptions lower what is used.
     */
    void requeue(List<QueueSchedule> leaves, int max) {
        limitWaits.releaseIn(new HashSet<>(leaves), max, skippedBacklogs, skippedApplications);
        requeue();
    }

    /** Returns everything that was skipped to its order. */
    void requeue() {
        for (QueueSchedule leaf : leavesWithSkipped) {
            if (leaf.applications().beginCycle()) {
                leaf.changed();
            }
        }
        leavesWithSkipped.clear();
        limitWaits.release(skippedBacklogs, skippedApplications);
        gangWaits.release(skippedApplications);
        if (skippedApplications.isEmpty()
                && skippedBacklogs.isEmpty()
                && overBudget.isEmpty()
                && skippedQueues.isEmpty()) {
            return;
        }
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
        if (changes.takeAnyEvent() || !changes.isEmpty()) {
            preemptions.stateChanged();
            gangWaits.stateChanged();
            quotaPreemption.stateChanged(changes.queuesStale() || changes.treeStale());
            reservations.stateChanged();
        }
        if (changes.isEmpty()) {
            return;
        }
        equivalenceClasses.taskCounters().sync(changes);
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
        if (changes.nodesStale()
                || changes.queuesStale()
                || !changes.redefined().isEmpty()) {
            reservations.allChanged();
        }
        reservations.tasksChanged(changes);
        boolean stale = changes.queuesStale()
                || changes.nodesStale()
                || types != partition.types().size();
        boolean treeStale = changes.treeStale();
        List<Application> changed = changes.applications();
        for (int i = 0; i < changed.size(); i++) {
            reservations.gangs().applicationChanged(changed.get(i));
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
        gangWaits.releaseAll(skippedApplications);
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
        reclaimDue = null;
        for (QueueSchedule queue : queues.parents()) {
            queue.policy().begin(new NestedCycleStart(start, queue.expectedFreed()), queue.allowance());
            reclaimDue = earlier(reclaimDue, queue.policy().due());
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
     * Called when a loan is reclaimed for a candidate below the same parent: updates the share policies from that
     * parent up.
     */
    public void reclaimed(Preemption preemption, Reclaim reclaim, Task victim) {
        QueueSchedule child = queues.of(reclaim.parent());
        child.policy().preempted(victim);
        notifyFreed(child, victim.demand());
        forgetOthers(planned, preemption.exceedsPlan() ? null : reclaim);
        forgetOthers(exceedsPlan, preemption.exceedsPlan() ? reclaim : null);
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
            if ((over == null || over.contains(reclaim.parent()))
                    && mayPreempt(candidate.application().queue(), reclaim.parent())) {
                Preemption found = victimsFor(candidate, reclaim);
                if (found != null) {
                    return found;
                }
            }
        }
        reclaims.forEach(Reclaim::refused);
        return null;
    }

    /** Returns whether the preemption policies permit tasks of this leaf to preempt others below this queue. */
    private static boolean mayPreempt(Queue leaf, Queue within) {
        boolean fenced = false;
        for (Queue queue = leaf; queue != null && queue != within; queue = queue.parent()) {
            fenced |= queue.isPreemptionFence();
        }
        return !fenced && !leaf.isPreemptionDisabled();
    }

    private @Nullable Preemption victimsFor(Candidate candidate, Reclaim reclaim) {
        Preemption found = planned.computeIfAbsent(
                        reclaim, key -> new VictimSearch(key, false, capacityIndex.backfill()))
                .find(candidate);
        if (found == null && reclaim.mayExceedPlan()) {
            found = exceedsPlan
                    .computeIfAbsent(reclaim, key -> new VictimSearch(key, true, capacityIndex.backfill()))
                    .find(candidate);
        }
        return found;
    }

    /**
     * Returns whether preemption may still reduce the allocation of this queue, so that a task that exceeds its maximum
     * now may fit later.
     */
    private boolean mayStillBeReclaimed(Queue queue) {
        for (QueueSchedule parent : reclaiming) {
            if (parent.policy().isReclaiming() && queue.contains(parent.queue())) {
                return true;
            }
        }
        return false;
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

    /** Returns the attempt to place the gang of the candidate's application, which is waiting. */
    public GangTrial gangTrial(Candidate candidate, GangProgress gang) {
        return new GangTrial(candidate.application, gang);
    }

    /** Returns the attempt to place the gang of an application, or null if it has none that waits. */
    @Nullable GangTrial waitingGang(Application application) {
        GangProgress gang = application.gang();
        return gang == null || !gang.isWaiting() ? null : new GangTrial(scheduleOf(application), gang);
    }

    /**
     * Returns whether a task of this group, or the gang of its application if that waits, may start in this cycle, as
     * far as that is known at its beginning. For a gang, only if it does not stay skipped because it cannot fit.
     */
    boolean mayStart(TaskGroup group) {
        if (group.application().isGangWaiting()) {
            return !scheduleOf(group.application()).skipped;
        }
        EquivalenceClass equivalenceClass = equivalenceClasses.intern(group);
        return capacityIndex.first(equivalenceClass) != null
                || capacityIndex.backfill().hasRoom(equivalenceClass);
    }

    /** Lets the gangs of these applications be tried again, whether they may fit or not. */
    void releaseGangs(Predicate<Application> released) {
        gangWaits.releaseIf(released, releasedGangs);
        for (ApplicationSchedule application : releasedGangs) {
            application.skipped = false;
            application.changed();
        }
        releasedGangs.clear();
    }

    /** Returns the members of a gang with their nodes, in order, or null if they do not all fit. */
    public @Nullable List<GangTrial.Member> place(GangTrial trial) {
        List<GangTrial.Member> found = trial.find(capacityIndex);
        return found != null || capacityIndex.backfill().isEmpty()
                ? found
                : reservations.gangs().placeReserved(trial);
    }

    /**
     * Skips the application of a gang, if the gang exceeds the budget of a queue above it, until the policy hands out
     * single tasks; returns whether it does.
     */
    public boolean skipGangOverBudget(Candidate candidate, GangTrial trial) {
        for (int i = 0; i < budgetedQueues.size(); i++) {
            QueueSchedule child = budgetedQueues.get(i);
            long[] budget = parentOf(child).policy().gangBudget(budgets.get(i));
            if (!isWithin(trial.demand(), budget)) {
                child.addOverBudget(candidate.application);
                overBudget.add(child);
                skipApplication(candidate);
                return true;
            }
        }
        return false;
    }

    /**
     * Skips the application of a gang that did not fit for the rest of the cycle and, where that makes no difference,
     * until it may fit.
     */
    public void skipGang(Candidate candidate, GangTrial trial, GangProgress gang) {
        if (candidate.leaf.ignoresSkipOrder()) {
            gangWaits.add(trial, gang);
            setSkipped(candidate);
        } else {
            skipApplication(candidate);
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

    /**
     * Returns the first node in order that fits the candidate, else the first reserved one that it may use, or null.
     */
    public @Nullable Node firstFit(Candidate candidate) {
        Node node = capacityIndex.first(candidate.backlog.equivalenceClass);
        Backfill backfill = capacityIndex.backfill();
        return node != null || backfill.isEmpty() ? node : backfill.first(candidate);
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

    /**
     * Called after a task with this demand of the candidate's application was allocated: updates the share policies
     * above it, and ends its reservation.
     */
    public void placed(Candidate candidate, long[] demand) {
        QueueSchedule child = candidate.leaf;
        for (QueueSchedule above = child.parent(); above != null; child = above, above = above.parent()) {
            above.policy().placed(child, demand);
        }
        reservations.placed(candidate);
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
