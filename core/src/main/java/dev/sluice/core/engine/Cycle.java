package dev.sluice.core.engine;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.schedule.Candidate;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.schedule.Preemption;
import dev.sluice.core.schedule.PreemptionPhase;
import dev.sluice.core.schedule.QuotaPreemption;
import dev.sluice.core.schedule.ReservationPlanner;
import dev.sluice.core.share.Reclaim;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One scheduling cycle: one pass of the scheduler over one partition.
 *
 * <p>The numbers below appear in the code as comments:
 *
 * <ol>
 * <li>Expire what is due: starting timeouts, task timeouts, retention of ended applications, node timeouts. Preempt
 *     tasks of queues that have used more than their lowered maximum for too long; see {@link QuotaPreemption}.
 * <li>Begin the cycle of every share policy with the free capacity. A {@code load} policy that rebalances selects the
 *     loans it may reclaim.
 * <li>Select the next leaf queue by walking the share policies down from the root.
 * <li>Select the next application of that leaf, and the next task of that application: the candidate.
 * <li>Check the maximum number of running applications of the candidate's queues, user and group; then the limits of
 *     its user and group, the maximum resources of its queues, and the budget that the share policies left. If it
 *     passes, find the first node, in node order, whose free capacity fits the candidate.
 * <li>Allocate the candidate there. If no node fits, preempt tasks for it if it may reclaim a loan; otherwise skip the
 *     tasks of its equivalence class in this application for the rest of the cycle. If the application has a gang that
 *     waits, 5 and 6 are done for all its members at once; see {@link GangStarter}.
 * <li>Repeat from 3 until nothing fits or no eligible candidate is left.
 * </ol>
 *
 * <p>After that, only parents that still reclaim loans continue, one after the other: steps 3 to 6 repeat, each time
 * starting at that parent instead of the root, until no candidate can reclaim anything.
 *
 * <ol start="8">
 * <li>Reserve nodes for tasks that no node fits; see {@link ReservationPlanner}. Reservations are checked at the
 *     start of the cycle, and made for candidates as soon as no node fits them.
 * <li>Preempt tasks for candidates of queues that are below their guaranteed resources, and for those of higher
 *     priority where that is enabled; see {@link PreemptionPhase}.
 * </ol>
 */
final class Cycle {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final Instant now;
    private final GangStarter gangs;

    /** Whether the second phase has begun: nothing fits or no candidate is left, and the cycle only reclaims loans. */
    private boolean reclaiming;

    Cycle(Partition partition, PartitionSchedule schedule, Emitter emitter, Lifecycle lifecycle, Instant now) {
        this.partition = partition;
        this.schedule = schedule;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.now = now;
        this.gangs = new GangStarter(partition, schedule, emitter, now);
    }

    void run() {
        new Expiry(emitter, lifecycle).expireDue(partition, now); // 1
        enforceMaxima(); // 1
        schedule.beginCycle();
        schedule.reservations().begin(now, emitter::emit);
        schedule.beginPolicies(new PartitionCycleStart(partition, schedule, emitter, now)); // 2
        for (Candidate candidate = next(); candidate != null; candidate = next()) { // 7
            tryCandidate(candidate); // 5, 6
        }
        schedule.reservations().reserveForOthers(); // 8
        PreemptionPhase preemptions = schedule.preemptionPhase(now); // 9
        for (Candidate candidate = preemptions.next(); candidate != null; candidate = preemptions.next()) {
            tryToPreempt(candidate, preemptions);
        }
    }

    private void enforceMaxima() {
        QuotaPreemption quota = schedule.quotaPreemption();
        for (Queue queue : quota.exceeded(now)) {
            if (queue.overMaximumSince() == null && queue.exceedsMaximum()) {
                emitter.emit(new PartitionEvent.MaximumExceeded(partition.name(), queue.path(), now));
            }
            for (Task victim : quota.victims(queue, now)) {
                lifecycle.preempt(partition, victim, StopReason.QUOTA, null, now);
            }
        }
    }

    /** Preempts tasks for a candidate that no node fits, or skips it. */
    private void tryToPreempt(Candidate candidate, PreemptionPhase preemptions) {
        if (candidate.application().isGangWaiting()) {
            schedule.skipApplication(candidate);
            return;
        }
        Preemption preemption = preemptions.isDue(candidate) && mayStartInPlaceOfOthers(candidate)
                ? preemptions.preemptionFor(candidate)
                : null;
        if (preemption == null) {
            schedule.skip(candidate);
            preemptions.refused();
        } else {
            preempt(candidate, preemption);
            preemptions.preempted();
        }
    }

    /** Returns whether the limits of applications, users and groups permit the candidate. */
    private static boolean mayStartInPlaceOfOthers(Candidate candidate) {
        Application application = candidate.application();
        boolean active = application.isActive()
                || (application.queue().firstQueueAtMaxApplications() == null
                        && application.limits().firstAtMaxApplications() == null);
        return active && application.limits().firstOverMax(candidate.demand()) == null;
    }

    /**
     * Returns the next candidate; in the second phase, the next one that may reclaim loans. Returns null at the end of
     * the cycle.
     */
    private @Nullable Candidate next() {
        Candidate candidate = null;
        if (!reclaiming && partition.throttleHeadroom() > 0 && schedule.anythingFits()) {
            candidate = schedule.next(); // 3, 4
        }
        reclaiming |= candidate == null;
        return reclaiming ? schedule.nextBeneficiary() : candidate;
    }

    /** Allocates the candidate, preempts tasks for it, or skips it, its whole application or its queue. */
    private void tryCandidate(Candidate candidate) {
        Application application = candidate.application(); // 5
        if (!application.isActive() && application.queue().firstQueueAtMaxApplications() != null) {
            schedule.skipApplication(candidate);
            return;
        }
        LimitUsage reached =
                application.isActive() ? null : application.limits().firstAtMaxApplications();
        if (reached != null) {
            schedule.skipAtMaxApplications(candidate, reached);
            return;
        }
        GangProgress gang = application.gang();
        if (gang != null && gang.isWaiting()) {
            startGang(candidate, gang);
            return;
        }
        if (application.limits().firstOverMax(candidate.demand()) != null) {
            schedule.skipOverLimit(candidate);
            return;
        }
        Queue over = application.queue().firstQueueOverMax(candidate.demand());
        if (over == null && schedule.skipIfOverBudget(candidate)) {
            return;
        }
        boolean mayStart = over == null && partition.throttleHeadroom() > 0;
        Node node = mayStart ? schedule.firstFit(candidate) : null;
        Preemption preemption = node == null ? schedule.preemptionFor(candidate, over) : null;
        if (node != null) {
            allocate(candidate, node); // 6
        } else if (preemption != null) {
            preempt(candidate, preemption); // 6
        } else if (over != null) {
            schedule.skipOverMax(candidate, over); // 6
        } else {
            if (mayStart) {
                schedule.reservations().refused(candidate);
            }
            schedule.skip(candidate); // 6
        }
    }

    /** Allocates all members of a gang, or skips its application: no task is preempted for a gang. */
    private void startGang(Candidate candidate, GangProgress gang) {
        if (reclaiming) {
            schedule.skipApplication(candidate);
        } else {
            gangs.start(candidate, gang, (group, node) -> allocate(candidate, group, node));
        }
    }

    /**
     * Preempts the victims and allocates the candidate in their place. Both happen at once, otherwise the freed
     * capacity could be allocated twice.
     */
    private void preempt(Candidate candidate, Preemption preemption) {
        Reclaim reclaim = preemption.reclaim();
        if (reclaim != null && reclaim.isUnused()) {
            emitter.emit(new PartitionEvent.Rebalanced(
                    partition.name(), reclaim.parent().path(), now));
        }
        TaskRef beneficiary = candidate.group().ref(candidate.index());
        for (Task victim : preemption.victims()) {
            lifecycle.preempt(partition, victim, preemption.reason(), beneficiary, now);
            if (reclaim != null) {
                schedule.reclaimed(preemption, reclaim, victim);
            }
        }
        allocate(candidate, preemption.node());
        schedule.preemptedOn(preemption.node());
    }

    private void allocate(Candidate candidate, Node node) {
        allocate(candidate, candidate.group(), node);
    }

    /** Allocates the next task of a group of the candidate's application. */
    private void allocate(Candidate candidate, TaskGroup group, Node node) {
        Application application = candidate.application();
        int index = group.nextIndex();
        RunRef run = new RunRef(group.ref(index), group.attempts(index) + 1);
        Allocation allocation = new Allocation(run, node.name(), application.origin(), now, null);
        TaskEvent.Placed placed = new TaskEvent.Placed(allocation, node.mustReserve(group.demand()));
        emitter.emit(placed, partition, group, node);
        schedule.placed(candidate, group.demand());
        lifecycle.updateState(partition, application, now);
    }

    /**
     * Returns the time of the partition's next timer, at which a cycle is due even without a command, or null if no
     * timer is set.
     */
    static @Nullable Instant nextDue(Partition partition) {
        var timer = partition.nextTimer();
        return timer == null ? null : timer.due();
    }
}
