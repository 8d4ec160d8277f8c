package dev.sluice.core.schedule;

import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a cycle in which tasks are preempted for guaranteed resources and priorities, after everything that fits
 * was allocated and loans were reclaimed.
 *
 * <p>Leaves are served in the order of their paths; the candidates of a leaf in its own order, everything skipped
 * earlier included. A candidate has waited for the delay of its queue. Why the phase ends, however often it is
 * repeated, is in decision 56.
 *
 * <p>A phase that preempts nothing is not repeated until something changes, or until a delay or a protection ends: in a
 * full cluster a cycle without events costs nothing. In one cycle at most {@link #REFUSALS_MAX} candidates are tried in
 * vain, fewer if that visits {@link #VAIN_VISITS_MAX} running tasks. The phase of the next cycle, which is due at once,
 * continues with the next candidate, whatever has changed meanwhile, until all leaves were served: none starves behind
 * others. Of one leaf, at most {@link #CANDIDATES_MAX} candidates are tried.
 */
public final class PreemptionPhase {

    private static final int REFUSALS_MAX = 1_000;
    private static final int CANDIDATES_MAX = 10_000;

    /** How many of those that waited for a limit of their user or group are tried: preemptions lower what is used. */
    private static final int LIMITED_MAX = 1_000;

    /** The number of running tasks and nodes that searches in vain visit before the phase is interrupted. */
    private static final long VAIN_VISITS_MAX = 1_000_000;

    private static final Comparator<QueueSchedule> BY_PATH =
            Comparator.comparing(leaf -> leaf.queue().path());

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final Set<Search> vain = new HashSet<>();
    private List<QueueSchedule> leaves = List.of();
    private int leaf;

    /** The current leaf; null at the end of the phase. */
    private @Nullable QueueSchedule current;

    /** How many leaves remain until all were served, the current one included; kept if the phase is interrupted. */
    private int leavesLeft;

    /** The path of the leaf at which an interrupted phase continues. */
    private String resumePath = "";

    /** The number of candidates of the current leaf that were refused, now or before an interruption. */
    private int passed;

    /** How many of these remain to be skipped. */
    private int toSkip;

    private int refusals;
    private long vainVisits;
    private @Nullable Victims victims;
    private Instant now = Instant.MIN;

    /** When a delay or a protection ends that this round has found, or null. */
    private @Nullable Instant due;

    /** When the next cycle continues this round or begins another, whatever is due; null if it need not. */
    private @Nullable Instant again;

    private boolean changed = true;
    private int throttle;

    /** What a search depends on besides the state: tasks of one class that preempt the same tasks. */
    private record Search(Object owner, EquivalenceClass equivalenceClass) {}

    PreemptionPhase(Partition partition, PartitionSchedule schedule) {
        this.partition = partition;
        this.schedule = schedule;
    }

    /** Called when events have changed the state. */
    void stateChanged() {
        changed = true;
    }

    /** Returns when the phase is due without any event, or null. */
    @Nullable Instant due() {
        return PartitionSchedule.earlier(due, again);
    }

    /** Begins the phase of a cycle. */
    void begin(Instant at) {
        now = at;
        refusals = 0;
        vainVisits = 0;
        vain.clear();
        victims = null;
        boolean isNewRound = changed || leavesLeft == 0 || hasCome(due);
        boolean isDue = changed || throttle != partition.throttle() || hasCome(due) || hasCome(again);
        leaves = isDue && partition.configuration().preemption() && !partition.exceedsThrottle()
                ? schedule.queues().leaves(PreemptionPhase::mayBenefit, BY_PATH)
                : List.of();
        if (isDue) {
            due = isNewRound ? null : due;
            again = null;
            throttle = partition.throttle();
            changed = false;
            resume(isNewRound);
        } else {
            current = null;
        }
        if (!leaves.isEmpty()) {
            schedule.requeue(leaves, LIMITED_MAX);
        }
    }

    private boolean hasCome(@Nullable Instant at) {
        return at != null && !at.isAfter(now);
    }

    /** Continues with the candidate after the one at which the last phase was interrupted, if it was. */
    private void resume(boolean isNewRound) {
        int first = 0;
        while (first < leaves.size() && leaves.get(first).queue().path().compareTo(resumePath) < 0) {
            first++;
        }
        Collections.rotate(leaves, -first);
        current = leaves.isEmpty() ? null : leaves.get(0);
        boolean isSame = current != null && current.queue().path().equals(resumePath);
        passed = isSame ? passed : 0;
        toSkip = passed;
        leavesLeft = isNewRound ? leaves.size() + (passed > 0 ? 1 : 0) : Math.min(leavesLeft, leaves.size() + 1);
        leaf = 0;
    }

    /** Returns whether tasks may be preempted for those of this leaf. */
    private static boolean mayBenefit(QueueSchedule leaf) {
        Queue queue = leaf.queue();
        return queue.pendingTasks() > 0
                && isServed(leaf)
                && !queue.isPreemptionDisabled()
                && ((queue.preemptsByPriority() && queue.usesPriorities()) || isBelowGuarantee(queue));
    }

    /** Returns whether the share policies above ever serve this leaf. */
    static boolean isServed(QueueSchedule leaf) {
        QueueSchedule child = leaf;
        for (QueueSchedule above = leaf.parent(); above != null; child = above, above = above.parent()) {
            if (!above.policy().serves(child)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isBelowGuarantee(Queue leaf) {
        for (Queue queue = leaf; queue != null; queue = queue.parent()) {
            for (int type = 0; type < queue.guaranteed().length; type++) {
                if (queue.allocated(type) < queue.guaranteed(type)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the next candidate for which tasks may be preempted, or null at the end of the phase. */
    public @Nullable Candidate next() {
        schedule.sync();
        while (current != null) {
            if (vainVisits >= VAIN_VISITS_MAX || refusals >= REFUSALS_MAX) {
                resumePath = current.queue().path();
                again = now;
                current = null;
                return null;
            }
            ApplicationSchedule application =
                    passed < CANDIDATES_MAX ? current.applications().next() : null;
            if (application == null) {
                nextLeaf();
            } else if (toSkip > 0) {
                toSkip--;
                schedule.skip(application.next().candidate(current));
            } else {
                return application.next().candidate(current);
            }
        }
        return null;
    }

    private void nextLeaf() {
        passed = 0;
        toSkip = 0;
        leaf = (leaf + 1) % leaves.size();
        leavesLeft--;
        current = leavesLeft > 0 ? leaves.get(leaf) : null;
        if (current == null) {
            resumePath = "";
        }
    }

    /** Returns whether the candidate has waited long enough. */
    public boolean isDue(Candidate candidate) {
        Instant since = candidate.application().pendingSince();
        Duration delay = candidate.application().queue().preemptionDelay();
        Instant from = since == null ? now : since;
        if (Duration.between(from, now).compareTo(delay) >= 0) {
            return true;
        }
        wake(from.plus(delay));
        return false;
    }

    /**
     * Returns the tasks to preempt so that the candidate can take their place, or null. None are preempted for a
     * candidate that fits beside them: the next cycle starts it, unless a share policy leaves the capacity to others.
     */
    public @Nullable Preemption preemptionFor(Candidate candidate) {
        Queue queue = candidate.application().queue();
        EquivalenceClass equivalenceClass = candidate.backlog.equivalenceClass;
        Preemption found = null;
        if (!schedule.nodeClasses().isFeasibleOnReadyNodes(equivalenceClass)) {
            return null;
        }
        if (queue.firstQueueOverMax(candidate.demand()) == null && schedule.firstFit(candidate) != null) {
            return null;
        }
        if (isBelowGuarantee(queue)) {
            PreemptionScope scope =
                    PreemptionScope.ofGuarantee(queue, candidate.demand(), equivalenceClass.priority(), partition);
            found = scope.isEmpty() ? null : find(queue, equivalenceClass, scope);
        }
        if (found == null && queue.preemptsByPriority() && queue.usesPriorities()) {
            PreemptionScope scope = PreemptionScope.ofPriority(
                    candidate.application(), candidate.demand(), equivalenceClass.priority(), partition);
            found = find(candidate.application(), equivalenceClass, scope);
        }
        return found;
    }

    private @Nullable Preemption find(Object owner, EquivalenceClass equivalenceClass, PreemptionScope scope) {
        Search search = new Search(owner, equivalenceClass);
        if (vain.contains(search)) {
            return null;
        }
        if (victims == null) {
            victims = new Victims(partition, now);
            wake(victims.protectionEnds());
        }
        long before = victims.visits();
        Preemption found =
                victims.hasAny(scope) ? victims.find(equivalenceClass, scope, schedule.capacityIndex()::compare) : null;
        if (found == null) {
            vain.add(search);
            vainVisits += victims.visits() - before;
        }
        return found;
    }

    /** Called when the candidate was refused. */
    public void refused() {
        refusals++;
        passed++;
    }

    /** Called when tasks were preempted: another cycle may start others in what they leave. */
    public void preempted() {
        vain.clear();
        again = now;
    }

    private void wake(@Nullable Instant at) {
        due = PartitionSchedule.earlier(due, at);
    }
}
