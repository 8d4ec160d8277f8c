package dev.sluice.core.schedule;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The order of one application's pending tasks, and its rank among the applications of its queue. */
final class ApplicationSchedule extends Ranked {

    final Application application;

    // what it is compared by most often, without a look into the application
    private final String id;
    private final long submittedSecond;
    private final int submittedNano;

    /** Its dominant share of the partition's total, as it was when it was last ranked; only under {@code fair}. */
    double[] share = {};

    /** The highest priority of its tasks in play, as it was when it was last ranked. */
    long rankedPriority;

    /** How many of its tasks held a place when it was last ranked. */
    int rankedPlaced;

    /** Whether it was passed over as a whole and waits to be offered again. */
    boolean aside;

    /** The leaf it is ranked in. */
    private @Nullable QueueSchedule leaf;

    private final Shapes shapes;
    private final Map<Shape, Backlog> backlogs = new HashMap<>();
    private @Nullable Backlog[] backlogByGroup = {};
    private final RankedHeap<Backlog> order = new RankedHeap<>(Backlog::compare);
    private @Nullable Backlog next; // the first of the order, without a look into it

    ApplicationSchedule(Application application, Shapes shapes) {
        this.application = application;
        this.id = application.id();
        Instant submitted = application.submitted();
        this.submittedSecond = submitted.getEpochSecond();
        this.submittedNano = submitted.getNano();
        this.shapes = shapes;
    }

    /** The order of (submission time, id). */
    static int bySubmission(ApplicationSchedule a, ApplicationSchedule b) {
        if (a.submittedSecond != b.submittedSecond) {
            return a.submittedSecond < b.submittedSecond ? -1 : 1;
        }
        if (a.submittedNano != b.submittedNano) {
            return a.submittedNano < b.submittedNano ? -1 : 1;
        }
        return a.id.compareTo(b.id);
    }

    /** Whether a task of it could be placed now, as far as is known in this cycle. */
    boolean isInPlay() {
        return !aside && next != null && application.isSchedulable();
    }

    /** The highest priority of its tasks that are in play; only when it is in play. */
    long priority() {
        return next().shape.priority();
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
            Shape shape = shapes.intern(group);
            backlog = backlogs.get(shape);
            if (backlog == null) {
                backlog = new Backlog(shape, this);
                backlogs.put(shape, backlog);
                shapes.use(shape);
            }
            backlog.add(group);
            setBacklogOf(group, backlog);
        }
        if (backlog != null) {
            rank(backlog);
        }
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
            backlogs.remove(backlog.shape);
            shapes.release(backlog.shape);
        } else if (!backlog.aside && !backlog.isRanked()) {
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
        newLeaf.applications().update(this);
    }

    /** Whether it is ranked in a leaf. */
    boolean hasLeaf() {
        return leaf != null;
    }

    /** Ranks it anew, and the queues above it. */
    void changed() {
        if (leaf != null) {
            leaf.applications().update(this);
            leaf.changed();
        }
    }

    /** Takes it out of its leaf, when it has ended. */
    void leaveLeaf() {
        if (leaf != null) {
            leaf.applications().remove(this);
            leaf.changed();
            leaf = null;
        }
    }

    /** Takes a backlog out of play. */
    void setAside(Backlog backlog) {
        backlog.aside = true;
        removeFromOrder(backlog);
    }

    /** Brings a backlog back into play. */
    void offerAgain(Backlog backlog) {
        backlog.aside = false;
        if (backlogs.get(backlog.shape) == backlog) {
            rank(backlog);
        }
    }

    /** Brings a backlog back into play in the cycle in which it was passed over. */
    void offerAgainInCycle(Backlog backlog) {
        offerAgain(backlog);
        if (leaf != null) {
            leaf.applications().offeredAgain(this);
        }
        changed();
    }

    /** Gives up all backlogs, when the application is forgotten. */
    void clear() {
        backlogs.values().forEach(backlog -> shapes.release(backlog.shape));
        backlogs.clear();
    }
}
