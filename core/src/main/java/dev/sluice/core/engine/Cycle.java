package dev.sluice.core.engine;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.schedule.Candidate;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.schedule.Preemption;
import dev.sluice.core.state.Application;
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
 * One pass of the scheduler over one partition.
 *
 * <p>The steps are: 1 expire what is due; 2 tell every share policy what is free; rebalancing names the loans that may be reclaimed; 3 take the next
 * leaf by walking the share policies down from root; 4 take its next application, and that application's next task; 5 find the
 * first node, in node order, with room for it; 6 place it, or preempt tasks for it if it is due a loan, or pass over its shape for this cycle; 7 repeat
 * from 3 until nothing fits or nothing is left that may be placed. Then the parents that still reclaim loans go on alone: one after
 * the other, from 3, each walking down from itself.
 */
final class Cycle {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final Instant now;

    /** Whether nothing fits any more, so that only loans are reclaimed. */
    private boolean reclaiming;

    Cycle(Partition partition, PartitionSchedule schedule, Emitter emitter, Lifecycle lifecycle, Instant now) {
        this.partition = partition;
        this.schedule = schedule;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.now = now;
    }

    void run() {
        new Expiry(emitter, lifecycle).expireDue(partition, now); // 1
        schedule.beginCycle();
        schedule.beginPolicies(new PartitionCycleStart(partition, schedule, emitter, now)); // 2
        for (Candidate candidate = next(); candidate != null; candidate = next()) { // 7
            tryCandidate(candidate); // 5, 6
        }
    }

    /** The next leaf, application and task; when nothing fits or nothing is left the next for which loans may be reclaimed, or null. */
    private @Nullable Candidate next() {
        Candidate candidate = null;
        if (!reclaiming && partition.throttleHeadroom() > 0 && schedule.anythingFits()) {
            candidate = schedule.next(); // 3, 4
        }
        reclaiming |= candidate == null;
        return reclaiming ? schedule.nextBeneficiary() : candidate;
    }

    /** Places the task, preempts others for it, or passes over it, over its whole application or over its queue. */
    private void tryCandidate(Candidate candidate) {
        Application application = candidate.application();
        if (!application.isActive() && application.queue().firstQueueAtMaxApplications() != null) {
            schedule.skipApplication(candidate);
            return;
        }
        Queue over = application.queue().firstQueueOverMax(candidate.demand());
        if (over == null && schedule.skipIfOverBudget(candidate)) {
            return;
        }
        boolean mayStart = over == null && partition.throttleHeadroom() > 0;
        Node node = mayStart ? schedule.firstFit(candidate) : null; // 5
        Preemption preemption = node == null ? schedule.preemptionFor(candidate, over) : null;
        if (node != null) {
            place(candidate, node); // 6
        } else if (preemption != null) {
            preempt(candidate, preemption); // 6
        } else if (over != null) {
            schedule.skipOverMax(candidate, over); // 6
        } else {
            schedule.skip(candidate); // 6
        }
    }

    /** Preempts tasks and places the one that takes their place, at once: otherwise the room would be given away a second time. */
    private void preempt(Candidate candidate, Preemption preemption) {
        if (preemption.reclaim().isUnused()) {
            String parent = preemption.reclaim().parent().path();
            emitter.emit(new PartitionEvent.Rebalanced(partition.name(), parent, now));
        }
        for (Task victim : preemption.victims()) {
            lifecycle.stop(partition, victim, StopReason.REBALANCE, now);
            schedule.preempted(preemption, victim);
        }
        place(candidate, preemption.node());
        schedule.preemptedOn(preemption.node());
    }

    private void place(Candidate candidate, Node node) {
        TaskGroup group = candidate.group();
        Application application = candidate.application();
        TaskEvent.Placed placed = new TaskEvent.Placed(
                partition.name(),
                application.id(),
                group.name(),
                candidate.index(),
                node.name(),
                node.mustReserve(candidate.demand()),
                now);
        emitter.emit(placed, partition, group, node);
        schedule.placed(candidate);
        lifecycle.updateState(partition, application, now);
    }

    /** When the partition is due for a cycle even if nothing happens, or null. */
    static @Nullable Instant nextDue(Partition partition) {
        var timer = partition.nextTimer();
        return timer == null ? null : timer.due();
    }
}
