package dev.sluice.core.schedule;

import dev.sluice.core.share.CycleStart;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.LoadWorkers;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Changes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every order that the scheduler needs in one partition, kept up to date from what events have changed.
 *
 * <p>Nothing here is part of the state: all of it can be made anew from the state at any time, and then is the same. What is
 * passed over in a cycle leaves its order until the next cycle begins.
 */
public final class PartitionSchedule {

    private final Partition partition;
    private final PolicyMaker policies;
    private final Shapes shapes = new Shapes();
    private final List<Backlog> asideBacklogs = new ArrayList<>();
    private final List<ApplicationSchedule> asideApplications = new ArrayList<>();
    private final List<QueueSchedule> asideQueues = new ArrayList<>();
    private final List<QueueSchedule> overBudget = new ArrayList<>();

    /** The leaves that were told of an application that was passed over, perhaps more than once. */
    private final List<QueueSchedule> passedOverIn = new ArrayList<>();

    private final List<QueueSchedule> bounded = new ArrayList<>();
    private final List<long[]> budgets = new ArrayList<>();
    private final List<QueueSchedule> parents = new ArrayList<>();
    private final List<QueueSchedule> leaves = new ArrayList<>();
    private @Nullable ApplicationSchedule[] applications = {};
    private @Nullable QueueSchedule[] queues = {};
    private final NodeRoom room;
    private @Nullable QueueSchedule root;

    /** Makes the share policy of a parent queue. */
    public interface PolicyMaker {
        /** The policy of this parent. */
        SharePolicy make(Queue parent, Partition partition);
    }

    /** The orders of this partition, with the share policies that it configures. */
    public PartitionSchedule(Partition partition) {
        this(partition, ConfiguredPolicies::sharePolicy);
    }

    /** The orders of this partition, with share policies of the caller's making. */
    public PartitionSchedule(Partition partition, PolicyMaker policies) {
        this.partition = partition;
        this.policies = policies;
        for (Application application : partition.applications()) {
            for (TaskGroup group : application.groups()) {
                scheduleOf(application).groupChanged(group);
            }
        }
        partition.changes().clear();
        room = new NodeRoom(partition, shapes);
        rebuildQueues();
    }

    /** Whether these are the orders of this very partition. */
    public boolean isOf(Partition other) {
        return partition == other;
    }

    /** Brings all orders up to date, and everything that was passed over back into play. */
    public void beginCycle() {
        sync();
        room.beginCycle();
        for (QueueSchedule leaf : passedOverIn) {
            if (leaf.applications().beginCycle()) {
                leaf.changed();
            }
        }
        passedOverIn.clear();
        offerAgain();
    }

    private void offerAgain() {
        List<ApplicationSchedule> touched = new ArrayList<>(asideApplications);
        for (ApplicationSchedule application : asideApplications) {
            application.aside = false;
        }
        for (Backlog backlog : asideBacklogs) {
            backlog.application.offerAgain(backlog);
            touched.add(backlog.application);
        }
        asideApplications.clear();
        asideBacklogs.clear();
        overBudget.forEach(QueueSchedule::forgetOverBudget);
        overBudget.clear();
        touched.forEach(ApplicationSchedule::changed);
        List<QueueSchedule> exhausted = List.copyOf(asideQueues);
        asideQueues.clear();
        exhausted.forEach(queue -> queue.setAside(false));
    }

    /** Brings all orders up to date with the events that were applied since. */
    void sync() {
        Changes changes = partition.changes();
        if (changes.isEmpty()) {
            return;
        }
        // by index: this is done in every step of a cycle, and iterators would be a good part of what it allocates
        List<TaskGroup> groups = changes.groups();
        for (int i = 0; i < groups.size(); i++) {
            TaskGroup group = groups.get(i);
            if (!group.application().isForgotten()) {
                scheduleOf(group.application()).groupChanged(group);
            }
        }
        boolean queuesStale = changes.queuesStale() || changes.nodesStale();
        room.sync(changes);
        List<Application> changedApplications = changes.applications();
        for (int i = 0; i < changedApplications.size(); i++) {
            update(changedApplications.get(i), queuesStale);
        }
        changes.clear();
        if (queuesStale) {
            rebuildQueues();
        }
    }

    private void update(Application application, boolean queuesStale) {
        ApplicationSchedule schedule = existingSchedule(application);
        if (application.state().isEnded() || application.isForgotten()) {
            if (schedule != null) {
                schedule.leaveLeaf();
                schedule.clear();
                applications[application.index()] = null;
            }
        } else if (schedule == null) {
            ApplicationSchedule added = scheduleOf(application);
            if (!queuesStale) {
                added.joinLeaf(leafOf(application));
                added.changed();
            }
        } else if (!queuesStale) {
            if (!schedule.hasLeaf()) {
                schedule.joinLeaf(leafOf(application));
            }
            schedule.changed();
        }
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
        ApplicationSchedule former = applications[application.index()];
        if (former != null) {
            former.leaveLeaf();
            former.clear();
        }
        ApplicationSchedule made = new ApplicationSchedule(application, shapes);
        applications[application.index()] = made;
        return made;
    }

    private QueueSchedule leafOf(Application application) {
        QueueSchedule leaf = queues[application.queue().index()];
        if (leaf == null) {
            throw new IllegalStateException("no order for " + application.queue());
        }
        return leaf;
    }

    private void rebuildQueues() {
        queues = new QueueSchedule[partition.queues().indexBound()];
        parents.clear();
        leaves.clear();
        passedOverIn.clear();
        asideQueues.clear();
        overBudget.clear();
        root = build(partition.queues().root(), null, 0);
        for (ApplicationSchedule schedule : applications) {
            if (schedule != null && !schedule.application.state().isEnded()) {
                schedule.joinLeaf(leafOf(schedule.application));
            }
        }
        leaves.forEach(QueueSchedule::changed);
    }

    private QueueSchedule build(Queue queue, @Nullable QueueSchedule parent, int position) {
        QueueSchedule schedule;
        if (queue.isLeaf()) {
            schedule = QueueSchedule.leaf(queue, parent, position, ConfiguredPolicies.leafOrder(queue, partition));
            leaves.add(schedule);
        } else {
            schedule = QueueSchedule.parent(queue, parent, position, policies.make(queue, partition));
            parents.add(schedule);
        }
        queues[queue.index()] = schedule;
        int next = 0;
        for (Queue child : queue.children()) {
            build(child, schedule, next++);
        }
        return schedule;
    }

    /** What the usage policy of its parent worked out for this queue when the last cycle began, or null. */
    public @Nullable UsageFigures usageOf(Queue queue) {
        Queue parent = queue.parent();
        QueueSchedule above = parent == null ? null : queues[parent.index()];
        return above == null || above.isLeaf() ? null : above.policy().usageOf(queue);
    }

    /** What the load policy of its parent worked out for this queue when the last cycle began, or null. */
    public @Nullable LoadClassShare loadOf(Queue queue) {
        Queue parent = queue.parent();
        QueueSchedule above = parent == null ? null : existingSchedule(parent);
        return above == null || above.isLeaf() ? null : above.policy().loadOf(queue);
    }

    /** What the load policy of this queue had to divide when the last cycle began, or null. */
    public @Nullable LoadWorkers loadWorkersOf(Queue parent) {
        QueueSchedule schedule = existingSchedule(parent);
        return schedule == null || schedule.isLeaf() ? null : schedule.policy().loadWorkers();
    }

    /** The order of this queue, or null if it came after the last cycle. */
    private @Nullable QueueSchedule existingSchedule(Queue queue) {
        QueueSchedule schedule = queue.index() < queues.length ? queues[queue.index()] : null;
        return schedule == null || schedule.queue() != queue ? null : schedule;
    }

    /** Begins a cycle for every share policy, from root down. */
    public void beginPolicies(CycleStart start) {
        for (QueueSchedule queue : parents) {
            queue.policy().begin(start, allowance(queue));
        }
    }

    /** Tells the share policies above a parent that a task below it made way for others below it. */
    public void freed(Queue parent, long[] demand) {
        QueueSchedule child = queues[parent.index()];
        while (child != null && child.parent() != null) {
            child.parent().policy().freed(child, demand);
            child = child.parent();
        }
    }

    /** The most that the policies above let a queue take, which have begun their cycle: parents stand before their children. */
    private static long[] allowance(QueueSchedule queue) {
        long[] allowance = SharePolicy.UNBOUNDED;
        QueueSchedule child = queue;
        for (QueueSchedule above = child.parent(); above != null; child = above, above = above.parent()) {
            allowance = Vectors.smaller(allowance, above.policy().allowance(child.queue()));
        }
        return allowance;
    }

    /** What is free on all ready nodes now, as a vector with a number for every type; slots are idle workers. */
    public long[] free() {
        sync();
        return room.free();
    }

    /**
     * The task that is served next, walking the share policies down from root, or null when nothing is left in play. A parent that
     * turns out to have nothing to give is passed over for this cycle.
     */
    public @Nullable Turn next() {
        sync();
        bounded.clear();
        budgets.clear();
        QueueSchedule queue = root;
        while (queue != null && queue.isInPlay()) {
            if (queue.isLeaf()) {
                ApplicationSchedule application = queue.applications().next();
                if (application != null) {
                    return application.next().turn(queue);
                }
            }
            QueueSchedule child =
                    queue.isLeaf() ? null : (QueueSchedule) queue.policy().next();
            if (child == null) {
                asideQueues.add(queue);
                queue.setAside(true);
                bounded.clear();
                budgets.clear();
                queue = root;
            } else {
                long[] budget = queue.policy().budget();
                if (budget.length > 0) {
                    bounded.add(child);
                    budgets.add(budget);
                }
                queue = child;
            }
        }
        return null;
    }

    /** Passes over the task whose turn it is if it exceeds what a queue above it may take now; returns whether it does. */
    public boolean passOverBudget(Turn turn) {
        for (int i = 0; i < bounded.size(); i++) {
            if (!isWithin(turn.demand(), budgets.get(i))) {
                QueueSchedule child = bounded.get(i);
                child.passOverBudget(turn.backlog);
                overBudget.add(child);
                passOver(turn);
                return true;
            }
        }
        return false;
    }

    private static boolean isWithin(long[] demand, long[] budget) {
        for (int i = 0; i < demand.length; i++) {
            if (demand[i] > Vectors.limitAt(budget, i)) {
                return false;
            }
        }
        return true;
    }

    /** The first node in order with room for the task whose turn it is, or null. */
    public @Nullable Node firstWithRoom(Turn turn) {
        return room.first(turn.backlog.shape);
    }

    /**
     * Whether any node has room for any pending task, whoever's turn it is. To be asked when a task was passed over: in a full
     * cluster the cycle is over then, without a look at everybody who waits.
     */
    public boolean anythingFits() {
        return room.anythingFits();
    }

    /** Tells the share policies above it that the task whose turn it is was placed. */
    public void placed(Turn turn) {
        QueueSchedule child = turn.leaf;
        for (QueueSchedule above = child.parent(); above != null; child = above, above = above.parent()) {
            above.policy().placed(child, turn.demand());
        }
    }

    /** Passes over this application's tasks of this shape for the rest of the cycle, or until they are offered again. */
    public void passOver(Turn turn) {
        ApplicationSchedule application = turn.application;
        asideBacklogs.add(turn.backlog);
        application.setAside(turn.backlog);
        if (!application.isInPlay()) {
            tellPassedOver(turn);
        }
        application.changed();
    }

    private void tellPassedOver(Turn turn) {
        turn.leaf.applications().passedOver(turn.application);
        passedOverIn.add(turn.leaf);
    }

    /** Passes over a whole application for the rest of the cycle. */
    public void passOverApplication(Turn turn) {
        ApplicationSchedule application = turn.application;
        asideApplications.add(application);
        application.aside = true;
        tellPassedOver(turn);
        application.changed();
    }
}
