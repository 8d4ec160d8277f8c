package dev.sluice.core.schedule;

import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The {@link QueueSchedule} of every queue of a partition. */
final class QueueSchedules {

    private final Partition partition;
    private final PartitionSchedule.PolicyFactory policies;
    private final NodeClasses nodes;
    private final List<QueueSchedule> parents = new ArrayList<>();
    private @Nullable QueueSchedule[] byIndex = {};
    private @Nullable QueueSchedule root;

    QueueSchedules(Partition partition, PartitionSchedule.PolicyFactory policies, NodeClasses nodes) {
        this.nodes = nodes;
        this.partition = partition;
        this.policies = policies;
    }

    /** Returns the schedule of the root queue, or null before the first {@link #update}. */
    @Nullable QueueSchedule root() {
        return root;
    }

    /** Returns the schedules of all parents, each before the parents below it. */
    List<QueueSchedule> parents() {
        return parents;
    }

    /** Returns the schedules of these leaves in this order; the others are not compared. */
    List<QueueSchedule> leaves(Predicate<QueueSchedule> which, Comparator<QueueSchedule> order) {
        List<QueueSchedule> leaves = leaves(which);
        leaves.sort(order);
        return leaves;
    }

    /** Returns the schedules of these leaves, in unspecified order. */
    List<QueueSchedule> leaves(Predicate<QueueSchedule> which) {
        List<QueueSchedule> leaves = new ArrayList<>();
        for (QueueSchedule queue : byIndex) {
            if (queue != null && queue.isLeaf() && which.test(queue)) {
                leaves.add(queue);
            }
        }
        return leaves;
    }

    /** Returns the schedule of a queue, or null if the queue was added after the last {@link #update}. */
    @Nullable QueueSchedule find(Queue queue) {
        return find(queue, byIndex);
    }

    private static @Nullable QueueSchedule find(Queue queue, @Nullable QueueSchedule[] among) {
        QueueSchedule schedule = queue.index() < among.length ? among[queue.index()] : null;
        return schedule == null || schedule.queue() != queue ? null : schedule;
    }

    /** Returns the schedule of a queue, which must exist. */
    QueueSchedule of(Queue queue) {
        QueueSchedule schedule = find(queue);
        if (schedule == null) {
            throw new IllegalStateException("no schedule of " + queue);
        }
        return schedule;
    }

    /** Returns whether this is still the schedule of its queue. */
    boolean isCurrent(QueueSchedule schedule) {
        return find(schedule.queue()) == schedule;
    }

    /** Rebuilds all schedules, without applications. */
    void rebuild() {
        byIndex = new QueueSchedule[0];
        update();
    }

    /**
     * Creates the schedules of new queues and rebuilds those of parents whose children changed. The other schedules are
     * kept: where placement rules create a queue for each application, rebuilding everything would be too expensive.
     */
    void update() {
        @Nullable QueueSchedule[] previous = byIndex;
        byIndex = new QueueSchedule[partition.queues().indexBound()];
        parents.clear();
        List<QueueSchedule> made = new ArrayList<>();
        root = build(partition.queues().root(), PoliciesAbove.ROOT, previous, made);
        for (int i = made.size() - 1; i >= 0; i--) { // children before their parents
            for (Queue child : made.get(i).queue().children()) {
                of(child).changed();
            }
        }
    }

    /**
     * Returns the schedule of this queue and builds those below it. Adds new parents to {@code made}, each before those
     * below it.
     */
    private QueueSchedule build(
            Queue queue, PoliciesAbove above, @Nullable QueueSchedule[] previous, List<QueueSchedule> made) {
        QueueSchedule existing = find(queue, previous);
        if (queue.isLeaf()) {
            QueueSchedule leaf = existing != null && existing.isLeaf()
                    ? existing
                    : QueueSchedule.leaf(queue, ConfiguredPolicies.leafOrder(queue, partition), above, nodes);
            byIndex[queue.index()] = leaf;
            return leaf;
        }
        QueueSchedule parent = existing == null || existing.isLeaf()
                ? QueueSchedule.parent(queue, policies.make(queue, partition), above)
                : existing;
        boolean isNew = parent != existing;
        PoliciesAbove below = above.and(parent.policy());
        int parentsBefore = parents.size();
        int madeBefore = made.size();
        List<QueueSchedule> children = new ArrayList<>(queue.children().size());
        for (Queue child : queue.children()) {
            children.add(build(child, below, previous, made));
        }
        if (!isNew && (made.size() > madeBefore || !parent.hasChildren(children))) {
            parent = QueueSchedule.parent(queue, policies.make(queue, partition), above);
            isNew = true;
        }
        if (isNew) {
            parent.adopt(children);
            made.add(madeBefore, parent);
        }
        byIndex[queue.index()] = parent;
        parents.add(parentsBefore, parent);
        return parent;
    }

    /** Updates the ranks of all leaves, after applications have joined them. */
    void leavesChanged() {
        for (QueueSchedule queue : byIndex) {
            if (queue != null && queue.isLeaf()) {
                queue.changed();
            }
        }
    }
}
