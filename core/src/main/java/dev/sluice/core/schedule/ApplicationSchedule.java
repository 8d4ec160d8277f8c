package dev.sluice.core.schedule;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The order of one application's pending tasks, and its rank among the applications of its queue. */
final class ApplicationSchedule extends Ranked {

    private static final double[] NO_SHARE = {};
    private static final Backlog[] NO_BACKLOGS = {};
    private static final int[] NO_NUMBERS = {};

    final Application application;

    /** Its number by (submission time, sequence number) in its leaf; see {@link SubmissionOrder}. */
    long submissionRank;

    /** Its dominant share of the partition's total, as it was when it was last ranked; only under {@code fair}. */
    double[] share = NO_SHARE;

    /** The largest fraction of that share. */
    double largestShare;

    /** The highest priority of its tasks in play, as it was when it was last ranked. */
    long rankedPriority;

    /** How many of its tasks held a place when it was last ranked. */
    int rankedAllocated;

    /** Whether it was passed over as a whole and waits to be offered again. */
    boolean skipped;

    /** The leaf it is ranked in. */
    private @Nullable QueueSchedule leaf;

    private final EquivalenceClasses equivalenceClasses;
    private final NodeClasses nodeClasses;
    private final Map<EquivalenceClass, Backlog> backlogs = new HashMap<>(2); // most have one
    private @Nullable Backlog[] backlogByGroup = NO_BACKLOGS;
    private final RankedHeap<Backlog> order = new RankedHeap<>(Backlog::compare);
    private int countedOfFirst; // pending tasks of its first group, as last counted: most have no other
    private int[] countedOfOthers = NO_NUMBERS;
    private @Nullable PendingCounts counts;
    private @Nullable EquivalenceClass lastFeasible;
    private @Nullable Backlog next; // the first of the order, without a look into it

    ApplicationSchedule(Application application, EquivalenceClasses equivalenceClasses, NodeClasses nodeClasses) {
        this.application = application;
        this.equivalenceClasses = equivalenceClasses;
        this.nodeClasses = nodeClasses;
    }

    /** The order of (submission time, sequence number). */
    static int bySubmission(ApplicationSchedule a, ApplicationSchedule b) {
        int order = a.application.submitted().compareTo(b.application.submitted());
        return order != 0 ? order : Long.compare(a.application.sequence(), b.application.sequence());
    }

    /** Whether a task of it could be placed now, as far as is known in this cycle. */
    boolean isEligible() {
        return !skipped && next != null && application.isSchedulable();
    }

    /** Whether some node, ready or not, could ever hold one of its pending tasks, also of those that were passed over in this cycle. */
    boolean isFeasible() {
        EquivalenceClass known = lastFeasible;
        if (known != null && backlogs.containsKey(known) && nodeClasses.isFeasible(known)) {
            return true;
        }
        for (EquivalenceClass equivalenceClass : backlogs.keySet()) {
            if (nodeClasses.isFeasible(equivalenceClass)) {
                lastFeasible = equivalenceClass;
                return true;
            }
        }
        return false;
    }

    /** The highest priority of its tasks that are in play; only when it is in play. */
    long priority() {
        return next().equivalenceClass.priority();
    }

    /** Where its next task is; only when it is in play. */
    Backlog next() {
        if (next == null) {
            throw new IllegalStateException(application + " has nothing in play");
        }
        return next;
    }

    /** Takes note that the number of pending tasks of a group has changed. */
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

    /** How many more tasks of a group are pending than when it was counted last. */
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

    /** Its pending tasks by shape, in no particular order. */
    Collection<Backlog> backlogs() {
        return Collections.unmodifiableCollection(backlogs.values());
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

    /** Takes note that a group has left its backlog. */
    void dequeued(TaskGroup group) {
        setBacklogOf(group, null);
    }

    /** Ranks it in this leaf from now on. */
    void joinLeaf(QueueSchedule newLeaf) {
        leaf = newLeaf;
        counts = newLeaf.pendingCountsFor(application);
        backlogs.forEach((equivalenceClass, backlog) -> {
            newLeaf.addClass(equivalenceClass);
            backlog.countIn(counts);
        });
        newLeaf.submissionOrder().add(this);
        newLeaf.applications().update(this);
    }

    /** Whether it is ranked in a leaf. */
    boolean hasLeaf() {
        return leaf != null;
    }

    /** Ranks it anew, and the queues above it. */
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

    /** Takes it out of its leaf, when it has ended. */
    void leaveLeaf() {
        QueueSchedule left = leaf;
        if (left != null) {
            left.applications().remove(this);
            left.submissionOrder().remove(this);
            backlogs.forEach((equivalenceClass, backlog) -> {
                left.removeClass(equivalenceClass);
                backlog.countIn(null);
            });
            left.changed();
            leaf = null;
        }
    }

    /** Takes a backlog out of play. */
    void setSkipped(Backlog backlog) {
        backlog.skipped = true;
        removeFromOrder(backlog);
    }

    /** Brings a backlog back into play. */
    void requeue(Backlog backlog) {
        backlog.skipped = false;
        if (backlogs.get(backlog.equivalenceClass) == backlog) {
            rank(backlog);
        }
    }

    /** Brings a backlog back into play in the cycle in which it was passed over. */
    void requeueInCycle(Backlog backlog) {
        requeue(backlog);
        if (leaf != null) {
            leaf.applications().requeued(this);
        }
        changed();
    }

    /** Gives up all backlogs, when the application is forgotten. */
    void clear() {
        backlogs.forEach((equivalenceClass, backlog) -> equivalenceClasses.release(equivalenceClass));
        backlogs.clear();
    }
}
