package dev.sluice.core.schedule;

import dev.sluice.core.rank.PriorityCounts;
import dev.sluice.core.share.Child;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.state.Queue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The orders in one queue: of its applications if it is a leaf, of its children if it is a parent. */
final class QueueSchedule implements Child {

    private final Queue queue;
    private @Nullable QueueSchedule parent;
    private int position;
    private List<QueueSchedule> children = List.of();
    private final @Nullable LeafOrder applications;
    private final @Nullable SharePolicy policy;
    private final long priorityOffset;
    private final boolean priorityFence;
    private final Arrivals arrivals = new Arrivals();
    private final PriorityCounts childPriorities = new PriorityCounts();
    private final List<Backlog> overBudget = new ArrayList<>();
    private boolean counted;
    private long countedPriority;

    /** Whether it was found to have nothing more to give in this cycle. */
    private boolean aside;

    private QueueSchedule(Queue queue, @Nullable LeafOrder applications, @Nullable SharePolicy policy) {
        this.queue = queue;
        this.applications = applications;
        this.policy = policy;
        this.priorityOffset = queue.configuration().properties().priorityOffset();
        this.priorityFence = queue.configuration().properties().priorityFence();
    }

    static QueueSchedule leaf(Queue queue, LeafOrder applications) {
        return new QueueSchedule(queue, applications, null);
    }

    static QueueSchedule parent(Queue queue, SharePolicy policy) {
        return new QueueSchedule(queue, null, policy);
    }

    /** Takes these as the queues below it, with their orders as they are; its policy knows nothing of them yet. */
    void adopt(List<QueueSchedule> newChildren) {
        children = List.copyOf(newChildren);
        for (int i = 0; i < children.size(); i++) {
            QueueSchedule child = children.get(i);
            child.parent = this;
            child.position = i;
            child.counted = false;
            child.countedPriority = 0;
        }
    }

    /** Whether just these are below it, in this order. */
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

    /** The order of its applications; only of a leaf. */
    LeafOrder applications() {
        if (applications == null) {
            throw new IllegalStateException(queue + " is a parent");
        }
        return applications;
    }

    /** Its applications by their submission. */
    Arrivals arrivals() {
        return arrivals;
    }

    /** How it divides; only of a parent. */
    SharePolicy policy() {
        if (policy == null) {
            throw new IllegalStateException(queue + " is a leaf");
        }
        return policy;
    }

    @Override
    public boolean isInPlay() {
        return !aside && (applications != null ? applications.next() != null : policy().hasNext());
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

    /** Tells the policies from here up to root that something in this queue has changed. */
    void changed() {
        QueueSchedule above = parent;
        for (QueueSchedule child = this; above != null; child = above, above = above.parent) {
            above.count(child);
            above.policy().update(child);
        }
    }

    private void count(QueueSchedule child) {
        boolean counts = child.isInPlay() && policy().serves(child);
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

    void setAside(boolean isAside) {
        aside = isAside;
        changed();
    }

    /** Takes note that tasks below this child were passed over because of its budget. */
    void passOverBudget(Backlog backlog) {
        overBudget.add(backlog);
    }

    /** Forgets the tasks that were passed over because of its budget, when a new cycle offers everything again that is still there. */
    void forgetOverBudget() {
        if (!overBudget.isEmpty()) {
            overBudget.clear();
            changed();
        }
    }

    @Override
    public boolean isOverBudget() {
        return !overBudget.isEmpty();
    }

    @Override
    public void offerAgain() {
        List<Backlog> again = List.copyOf(overBudget);
        overBudget.clear();
        for (Backlog backlog : again) {
            backlog.application.offerAgainInCycle(backlog);
        }
    }
}
