package dev.sluice.core.testing;

import static dev.sluice.core.testing.GroupInvariants.allocatedCount;
import static dev.sluice.core.testing.StateAssertions.fail;
import static dev.sluice.core.testing.StateAssertions.isTrue;
import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Invariants of queues: they match the configuration, and their counters match their applications. */
final class QueueInvariants {

    private final Partition partition;

    QueueInvariants(Partition partition) {
        this.partition = partition;
    }

    void check() {
        Set<Integer> indexes = new HashSet<>();
        for (Queue queue : partition.queues().all()) {
            same(queue, "found by path", partition.queues().find(queue.path()), queue);
            isTrue(queue, "a unique index", indexes.add(queue.index()));
            isTrue(
                    queue,
                    "an index within bounds",
                    queue.index() < partition.queues().indexBound());
            isTrue(
                    queue,
                    "a leaf or without applications",
                    queue.isLeaf() || queue.applications().isEmpty());
            boolean kept = queue.parent() == null || !(queue.isDraining() || queue.isDynamic());
            isTrue(
                    queue,
                    "removed when empty",
                    kept || !queue.children().isEmpty() || !queue.applications().isEmpty());
            checkCounts(queue);
            checkUsage(queue);
            checkLimits(queue);
            if (!queue.isDraining()) {
                checkInherited(queue);
            }
        }
        partition.usage().removedQueues().forEach((path, usage) -> {
            checkPriority(path, usage);
            Queue queue = partition.queues().find(path);
            isTrue(path, "removed only while it does not exist", queue == null || queue.usage() == null);
        });
        isTrue(
                partition,
                "removed queues within the limit",
                partition.usage().removedQueues().size() <= SchedulerLimits.REMOVED_QUEUES_MAX);
        Queue root = partition.queues().root();
        checkConfigured(root, partition.configuration().root());
    }

    private static void checkConfigured(Queue queue, QueueConfiguration configuration) {
        same(queue, "configuration", queue.configuration(), configuration);
        isTrue(queue, "not draining", !queue.isDraining());
        isTrue(queue, "configured, not dynamic", !queue.isDynamic());
        int position = 0;
        for (QueueConfiguration childConfiguration : configuration.children()) {
            Queue child = queue.child(childConfiguration.name());
            if (child == null) {
                fail(queue + " lacks the configured child " + childConfiguration.name());
                return;
            }
            same(child, "position", queue.children().indexOf(child), position);
            checkConfigured(child, childConfiguration);
            position++;
        }
    }

    private static void checkUsage(Queue queue) {
        Queue parent = queue.parent();
        boolean counts = parent != null && parent.sharePolicy() == SharePolicyKind.USAGE;
        Usage.Reading usage = queue.usage();
        isTrue(queue, "a usage priority if and only if its parent shares by usage", counts == (usage != null));
        if (usage != null) {
            checkPriority(queue, usage);
        }
    }

    private static void checkPriority(Object queue, Usage.Reading usage) {
        isTrue(
                queue,
                "a usage priority of 0 or more",
                usage.priority() >= 0 && usage.priority() < Double.POSITIVE_INFINITY);
    }

    private static void checkInherited(Queue queue) {
        Queue parent = queue.parent();
        same(queue, "sort policy", queue.sortPolicy(), sortPolicyOf(queue, parent));
        boolean counts = parent == null || parent.usesPriorities();
        Boolean priority = queue.configuration().properties().applicationSortPriority();
        same(queue, "priorities", queue.usesPriorities(), priority == null ? counts : priority);
        Duration timeout = queue.configuration().properties().taskTimeout();
        Duration above = parent == null ? null : parent.taskTimeout();
        same(queue, "task timeout", queue.taskTimeout(), timeout == null ? above : timeout);
    }

    private static ApplicationSortPolicy sortPolicyOf(Queue queue, @Nullable Queue parent) {
        boolean loadClass = parent != null
                && parent.sharePolicy() == SharePolicyKind.LOAD
                && !queue.configuration().parent();
        ApplicationSortPolicy byDefault = loadClass ? ApplicationSortPolicy.FEWEST_RUNNING : ApplicationSortPolicy.FIFO;
        List<ApplicationSortPolicy> written = new ArrayList<>();
        for (Queue above = queue; above != null; above = above.parent()) {
            ApplicationSortPolicy policy = above.configuration().properties().applicationSortPolicy();
            if (policy != null) {
                written.add(policy);
            }
        }
        return written.isEmpty() ? byDefault : written.get(0);
    }

    private void checkCounts(Queue queue) {
        Sum allocated = new Sum(partition.types());
        Sum pending = new Sum(partition.types());
        long pendingTasks = 0;
        int allocatedTasks = 0;
        int preemptingTasks = 0;
        int active = 0;
        int starting = 0;
        for (Application application : live(queue)) {
            for (TaskGroup group : application.groups()) {
                int waiting = GroupInvariants.pending(group);
                GroupInvariants.addAllocated(group, allocated);
                pending.add(group.demand(), waiting);
                pendingTasks += waiting;
                allocatedTasks += allocatedCount(group);
                preemptingTasks += group.allocatedCount() - allocatedCount(group);
            }
            active += application.isActive() ? 1 : 0;
            starting += application.state() == ApplicationState.STARTING && application.queue() == queue ? 1 : 0;
        }
        allocated.check(queue, "allocated", queue.allocated());
        pending.check(queue, "pending", queue.pending());
        same(queue, "pending tasks", queue.pendingTasks(), pendingTasks);
        same(queue, "allocated tasks", queue.allocatedTasks(), allocatedTasks);
        same(queue, "preempting tasks", queue.preemptingTasks(), preemptingTasks);
        same(queue, "active applications", queue.activeApplications(), active);
        same(queue, "starting applications", queue.startingApplications(), starting);
    }

    private void checkLimits(Queue queue) {
        for (LimitUsage usage : queue.limitUsages()) {
            Sum allocated = new Sum(partition.types());
            int active = 0;
            for (Application application : live(queue)) {
                if (application.limits().all().contains(usage)) {
                    String subject = usage.subject() == LimitUsage.Subject.USER
                            ? application.spec().user()
                            : String.valueOf(
                                    application.limitGroup() == null ? usage.name() : application.limitGroup());
                    same(application, "the user or group of " + usage, subject, usage.name());
                    allocated.add(application.allocated(), 1);
                    active += application.isActive() ? 1 : 0;
                }
            }
            allocated.check(
                    usage,
                    "allocated",
                    partition.types().vector(partition.types().resources(usage::allocated), 0));
            same(usage, "active applications", usage.activeApplications(), active);
        }
    }

    /** Returns the live applications at and below a queue, computed from the applications. */
    private List<Application> live(Queue queue) {
        List<Application> live = new ArrayList<>();
        for (Application application : partition.applications()) {
            if (application.hasQueue() && !application.state().isEnded()) {
                String path = application.queue().path();
                if (path.equals(queue.path()) || (!queue.isLeaf() && path.startsWith(queue.path() + "."))) {
                    live.add(application);
                }
            }
        }
        return live;
    }
}
