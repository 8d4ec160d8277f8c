package dev.sluice.core.schedule;

import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The orders in all queues of a partition, by queue. */
final class QueueSchedules {

    private final Partition partition;
    private final PartitionSchedule.PolicyFactory policies;
    private final NodeClasses nodes;
    private final List<QueueSchedule> parents = new ArrayList<>();
    private @Nullable QueueSchedule[] byIndex = {};
    private @Nullable QueueSchedule root;

    /** None yet. */
    QueueSchedules(Partition partition, PartitionSchedule.PolicyFactory policies, NodeClasses nodes) {
        this.nodes = nodes;
        this.partition = partition;
        this.policies = policies;
    }

    /** The orders in the queue at the top, or null before they were made. */
    @Nullable QueueSchedule root() {
        return root;
    }

    /** Those of parents, each before those below it. */
    List<QueueSchedule> parents() {
        return parents;
    }

    /** The orders in this queue, or null if it came after they were made. */
    @Nullable QueueSchedule find(Queue queue) {
        return find(queue, byIndex);
    }

    private static @Nullable QueueSchedule find(Queue queue, @Nullable QueueSchedule[] among) {
        QueueSchedule schedule = queue.index() < among.length ? among[queue.index()] : null;
        return schedule == null || schedule.queue() != queue ? null : schedule;
    }

    /** The orders in this queue, which is there. */
    QueueSchedule of(Queue queue) {
        QueueSchedule schedule = find(queue);
        if (schedule == null) {
            throw new IllegalStateException("no order for " + queue);
        }
        return schedule;
    }

    /** Whether these orders are still those of their queue. */
    boolean isCurrent(QueueSchedule schedule) {
        return find(schedule.queue()) == schedule;
    }

    /** Makes all of them anew, without any application. */
    void rebuild() {
        byIndex = new QueueSchedule[0];
        update();
    }

    /**
     * Makes those of new queues, and those of the parents above queues that came or went anew. The others stay: where queues come and go with
     * their applications, as placement rules make them, everybody would be put in order anew all the time.
     */
    void update() {
        @Nullable QueueSchedule[] previous = byIndex;
        byIndex = new QueueSchedule[partition.queues().indexBound()];
        parents.clear();
        List<QueueSchedule> made = new ArrayList<>();
        root = build(partition.queues().root(), previous, made);
        for (int i = made.size() - 1; i >= 0; i--) { // what is below first
            for (Queue child : made.get(i).queue().children()) {
                of(child).changed();
            }
        }
    }

    /** The orders of this queue and of all below it; parents that had to be made are added, each before those below it. */
    private QueueSchedule build(Queue queue, @Nullable QueueSchedule[] previous, List<QueueSchedule> made) {
        QueueSchedule existing = find(queue, previous);
        if (queue.isLeaf()) {
            QueueSchedule leaf = existing != null && existing.isLeaf()
                    ? existing
                    : QueueSchedule.leaf(queue, ConfiguredPolicies.leafOrder(queue, partition), nodes);
            byIndex[queue.index()] = leaf;
            return leaf;
        }
        int parentsBefore = parents.size();
        int madeBefore = made.size();
        List<QueueSchedule> children = new ArrayList<>(queue.children().size());
        for (Queue child : queue.children()) {
            children.add(build(child, previous, made));
        }
        QueueSchedule parent = existing;
        if (parent == null || made.size() > madeBefore || !parent.hasChildren(children)) {
            parent = QueueSchedule.parent(queue, policies.make(queue, partition));
            parent.adopt(children);
            made.add(madeBefore, parent);
        }
        byIndex[queue.index()] = parent;
        parents.add(parentsBefore, parent);
        return parent;
    }

    /** Puts every leaf right, when applications have joined them. */
    void leavesChanged() {
        for (QueueSchedule queue : byIndex) {
            if (queue != null && queue.isLeaf()) {
                queue.changed();
            }
        }
    }
}
