package dev.sluice.core.schedule;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.TaskGroup;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One application in the schedule: the order of its pending tasks, and the values by which it is ranked among the
 * applications of its leaf.
 *
 * <p>The pending tasks are grouped into one {@link Backlog} for each equivalence class. The backlogs are ordered by
 * {@link Backlog#compare}; skipped ones are not in the order.
 */
final class ApplicationSchedule extends Ranked {

    private static final double[] NO_SHARE = {};
    private static final Backlog[] NO_BACKLOGS = {};
    private static final int[] NO_NUMBERS = {};

    final Application application;

    /** Its number in the {@link SubmissionOrder} of its leaf, which follows (submission time, sequence number). */
    long submissionRank;

    /**
     * Its dominant share of the partition's total when it was last ranked; only set under the sort policy {@code fair}.
     */
    double[] share = NO_SHARE;

    /** The largest fraction of {@link #share}. */
    double largestShare;

    /** The highest priority of its eligible tasks when it was last ranked. */
    long rankedPriority;

    /** The number of its allocated tasks when it was last ranked. */
    int rankedAllocated;

    /** Whether the whole application was skipped in this cycle. */
    boolean skipped;

    /** The leaf in which it is ranked, or null. */
    private @Nullable QueueSchedule leaf;

    private final EquivalenceClasses equivalenceClasses;
    private final NodeClasses nodeClasses;
    private final Map<EquivalenceClass, Backlog> backlogs = new HashMap<>(2); // most applications have one
    private @Nullable Backlog[] backlogByGroup = NO_BACKLOGS;
    private final RankedHeap<Backlog> order = new RankedHeap<>(Backlog::compare);
    private int countedOfFirst; // in the first group; most applications have no other
    private int[] countedOfOthers = NO_NUMBERS;
    private @Nullable PendingCounts counts;
    private @Nullable EquivalenceClass lastFeasible;

    // the generation of nodes and the unallocated tasks for which it was determined whether the gang may start
    private long gangGeneration = -1;
    private long gangTasks;
    private boolean gangFeasible;

    private @Nullable Backlog next; // the first backlog of the order, cached

    ApplicationSchedule(Application application, EquivalenceClasses equivalenceClasses, NodeClasses nodeClasses) {
        this.application = application;
        this.equivalenceClasses = equivalenceClasses;
        this.nodeClasses = nodeClasses;
    }

    /** Compares by (submission time, sequence number). */
    static int bySubmission(ApplicationSchedule a, ApplicationSchedule b) {
        int order = a.application.submitted().compareTo(b.application.submitted());
        return order != 0 ? order : Long.compare(a.application.sequence(), b.application.sequence());
    }

    /** Returns whether it may supply a candidate, as far as this cycle has found out. */
    boolean isEligible() {
        return !skipped && next != null && application.isSchedulable();
    }

    /**
     * Returns whether some node, ready or not, could run one of its pending tasks if it were empty, and the maxima of
     * its queues permit it; if it has a gang that waits, whether that could start. Includes tasks skipped in this
     * cycle.
     */
    boolean isFeasible() {
        GangProgress gang = application.gang();
        if (gang != null && gang.isWaiting()) {
            return isFeasible(gang);
        }
        EquivalenceClass known = lastFeasible;
        if (known != null && backlogs.containsKey(known) && isFeasible(known)) {
            return true;
        }
        for (EquivalenceClass equivalenceClass : backlogs.keySet()) {
            if (isFeasible(equivalenceClass)) {
                lastFeasible = equivalenceClass;
                return true;
            }
        }
        return false;
    }

    private boolean isFeasible(EquivalenceClass equivalenceClass) {
        return nodeClasses.isFeasible(equivalenceClass)
                && application.queue().firstQueueAboveMax(equivalenceClass.demand) == null;
    }

    private boolean isFeasible(GangProgress gang) {
        if (gangGeneration != nodeClasses.generation() || gangTasks != application.unallocated()) {
            gangGeneration = nodeClasses.generation();
            gangTasks = application.unallocated();
            gangFeasible = nodeClasses.isFeasible(gang);
        }
        return gangFeasible;
    }

    /** Returns the highest priority of its eligible tasks. Only defined if the application is eligible. */
    long priority() {
        return next().equivalenceClass.priority();
    }

    /** Returns the backlog of its next task. Only defined if the application is eligible. */
    Backlog next() {
        if (next == null) {
            throw new IllegalStateException(application + " has no eligible tasks");
        }
        return next;
    }

    /** Updates the order after the number of pending tasks of a group has changed. */
    void groupChanged(TaskGroup group) {
        Backlog backlog = backlogOf(group);
        if (backlog == null && group.pending() > 0) {
            EquivalenceClass equivalenceClass = equivalenceClasses.intern(group);
            backlog = backlogs.get(equivalenceClass);
            if (backlog == null) {
                backlog = new Backlog(equivalenceClass, this);
                backlogs.put(equivalenceClass, backlog);
                equivalenceClasses.use(equivalenceClass);
                if (leaf != null) {
                    leaf.addClass(equivalenceClass);
                    backlog.countIn(counts);
                }
            }
            backlog.add(group);
            setBacklogOf(group, backlog);
        }
        if (backlog != null) {
            backlog.changeTasks(recount(group));
            rank(backlog);
        }
    }

    /** Counts the pending tasks of a group again and returns the change since the last count. */
    private int recount(TaskGroup group) {
        int now = group.pending();
        int before = countedOfFirst;
        int other = group.index() - 1;
        if (other < 0) {
            countedOfFirst = now;
        } else {
            if (other >= countedOfOthers.length) {
                int length = Math.max(application.groups().size() - 1, other + 1);
                int grown = countedOfOthers.length + countedOfOthers.length / 2;
                countedOfOthers = Arrays.copyOf(countedOfOthers, Math.max(length, grown));
            }
            before = countedOfOthers[other];
            countedOfOthers[other] = now;
        }
        return now - before;
    }

    /** Returns all backlogs, including skipped ones, in unspecified order. */
    Collection<Backlog> backlogs() {
        return Collections.unmodifiableCollection(backlogs.values());
    }

    /** Returns the equivalence class of the pending tasks of a group, which must have some. */
    EquivalenceClass classOf(TaskGroup group) {
        Backlog backlog = backlogOf(group);
        if (backlog == null) {
            throw new IllegalStateException(group + " has no pending tasks");
        }
        return backlog.equivalenceClass;
    }

    private @Nullable Backlog backlogOf(TaskGroup group) {
        return group.index() < backlogByGroup.length ? backlogByGroup[group.index()] : null;
    }

    private void setBacklogOf(TaskGroup group, @Nullable Backlog backlog) {
        if (group.index() >= backlogByGroup.length) {
            int length = Math.max(application.groups().size(), group.index() + 1);
            int grown = backlogByGroup.length + backlogByGroup.length / 2;
            backlogByGroup = Arrays.copyOf(backlogByGroup, Math.max(length, grown));
        }
        backlogByGroup[group.index()] = backlog;
    }

    private void rank(Backlog backlog) {
        backlog.dropEmptyGroups();
        if (backlog.isEmpty()) {
            removeFromOrder(backlog);
            backlogs.remove(backlog.equivalenceClass);
            equivalenceClasses.release(backlog.equivalenceClass);
            if (leaf != null) {
                leaf.removeClass(backlog.equivalenceClass);
                backlog.countIn(null);
            }
        } else if (!backlog.skipped && !backlog.isRanked()) {
            order.put(backlog);
            backlog.ranked = backlog.first();
            next = order.first();
        }
    }

    private void removeFromOrder(Backlog backlog) {
        order.remove(backlog);
        backlog.ranked = null;
        next = order.first();
    }

    /**
     * Called when a group has left its backlog; returns the change of its pending tasks since the last count. All
     * groups of an application may have lost their pending tasks at once.
     */
    int dequeued(TaskGroup group) {
        setBacklogOf(group, null);
        return recount(group);
    }

    /** Adds the application to a leaf and ranks it there. */
    void joinLeaf(QueueSchedule newLeaf) {
        leaf = newLeaf;
        gangGeneration = -1; // maxima may have changed
        counts = newLeaf.pendingCountsFor(application);
        backlogs.forEach((equivalenceClass, backlog) -> {
            newLeaf.addClass(equivalenceClass);
            backlog.countIn(counts);
        });
        newLeaf.joined(this);
        newLeaf.submissionOrder().add(this);
        newLeaf.applications().update(this);
    }

    boolean hasLeaf() {
        return leaf != null;
    }

    /** Returns whether the application is in one of these leaves. */
    boolean isIn(Set<QueueSchedule> leaves) {
        return leaf != null && leaves.contains(leaf);
    }

    /** Updates its rank in the leaf and the ranks of the queues above. */
    void changed() {
        if (leaf != null) {
            PendingCounts now = leaf.pendingCountsFor(application);
            if (now != counts) {
                counts = now;
                backlogs.values().forEach(backlog -> backlog.countIn(now));
            }
            leaf.applications().update(this);
            leaf.changed();
        }
    }

    /** Removes an ended application from its leaf. */
    void leaveLeaf() {
        QueueSchedule left = leaf;
        if (left != null) {
            left.applications().remove(this);
            left.submissionOrder().remove(this);
            left.left(this);
            backlogs.forEach((equivalenceClass, backlog) -> {
                left.removeClass(equivalenceClass);
                backlog.countIn(null);
            });
            left.changed();
            leaf = null;
        }
    }

    /** Skips a backlog: removes it from the order for the rest of the cycle. */
    void setSkipped(Backlog backlog) {
        backlog.skipped = true;
        removeFromOrder(backlog);
    }

    /** Returns a skipped backlog to the order at the start of a cycle. */
    void requeue(Backlog backlog) {
        backlog.skipped = false;
        if (backlogs.get(backlog.equivalenceClass) == backlog) {
            rank(backlog);
        }
    }

    /** Returns a skipped backlog to the order in the cycle in which it was skipped. */
    void requeueInCycle(Backlog backlog) {
        requeue(backlog);
        requeuedInCycle();
    }

    /** Returns the skipped application to its leaf in the cycle in which it was skipped. */
    void requeueInCycle() {
        skipped = false;
        requeuedInCycle();
    }

    private void requeuedInCycle() {
        if (leaf != null) {
            leaf.applications().requeued(this);
        }
        changed();
    }

    /** Releases all backlogs when the application ends or is forgotten. */
    void clear() {
        backlogs.forEach((equivalenceClass, backlog) -> equivalenceClasses.release(equivalenceClass));
        backlogs.clear();
    }
}
