package dev.sluice.core.reference;

import dev.sluice.core.application.TaskState;
import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Preemption for guaranteed resources and priorities, at the end of a cycle. */
final class ReferencePreemption {

    private final ReferenceQueue root;
    private final PartitionConfiguration configuration;
    private final SortedMap<String, Long> total;
    private final long throttle;
    private final Instant now;
    private final List<ReferenceAllocation> preemptible;
    private Permission permission = (node, application, task) -> true;

    /** Preempts tasks and allocates another one in their place. */
    interface Preempt {
        void accept(
                ReferenceApplication application, ReferenceTask task, String reason, List<ReferenceAllocation> victims);
    }

    /** Whether a task may use a node that has enough free capacity. */
    interface Permission {
        boolean test(ReferenceNode node, ReferenceApplication application, ReferenceTask task);
    }

    ReferencePreemption(
            ReferenceQueue root,
            PartitionConfiguration configuration,
            SortedMap<String, Long> total,
            long throttle,
            Instant now) {
        this.root = root;
        this.configuration = configuration;
        this.total = total;
        this.throttle = throttle;
        this.now = now;
        preemptible = root.tasksOnNodes()
                .filter(task -> task.isReclaimable() && !task.started.equals(Instant.MAX) && !root.protects(task, now))
                .toList();
    }

    void run(Preempt preempt, Supplier<List<ReferenceNode>> nodeOrder, Permission permission) {
        this.permission = permission;
        if (!configuration.preemption() || root.allocatedTasks() > throttle) {
            return;
        }
        root.requeueAll();
        List<ReferenceQueue> leaves = root.queues()
                .filter(queue -> queue.leaf && isServed(queue))
                .filter(queue -> queue.upToRoot().stream().noneMatch(ReferenceQueue::disablesPreemption))
                .sorted(Comparator.comparing(queue -> queue.path))
                .toList();
        for (ReferenceQueue leaf : leaves) {
            while (leaf.isEligible()) {
                ReferenceApplication application = leaf.nextApplication(total);
                if (application.isGangWaiting()) {
                    application.skip();
                    leaf.skipped(application);
                    continue;
                }
                ReferenceTask task = application.nextTask();
                boolean preempted = application.hasWaited(leaf.preemptionDelay(), now)
                        && isPermitted(leaf, application, task)
                        && (preempt("guarantee", leaf, application, task, preempt, nodeOrder)
                                || preempt("priority", leaf, application, task, preempt, nodeOrder));
                if (!preempted) {
                    application.skipEquivalent(task);
                    leaf.skipped(application);
                }
            }
        }
    }

    static boolean isServed(ReferenceQueue leaf) {
        return leaf.upToRoot().stream()
                .noneMatch(queue -> queue.parent != null && queue.parent.sharesByLoad() && queue.loadPercent() == 0);
    }

    static boolean isPermitted(ReferenceQueue leaf, ReferenceApplication application, ReferenceTask task) {
        boolean activates = leaf.upToRoot().stream().allMatch(ReferenceQueue::canActivateApplication)
                && leaf.limitsPermit(application);
        return (application.active || activates) && leaf.limitsPermit(application, task);
    }

    private boolean preempt(
            String reason,
            ReferenceQueue leaf,
            ReferenceApplication application,
            ReferenceTask task,
            Preempt preempt,
            Supplier<List<ReferenceNode>> nodeOrder) {
        boolean fitsBeside = leaf.upToRoot().stream().allMatch(queue -> queue.fits(task))
                && nodeOrder.get().stream()
                        .anyMatch(node -> node.takes(task) && permission.test(node, application, task));
        if (fitsBeside) {
            return false;
        }
        List<ReferenceAllocation> best = null;
        for (ReferenceNode node : List.copyOf(nodeOrder.get())) {
            List<ReferenceAllocation> victims = victimsOn(node, reason, leaf, application, task);
            if (victims != null && (best == null || work(victims).compareTo(work(best)) < 0)) {
                best = victims;
            }
        }
        if (best != null) {
            preempt.accept(application, task, reason, best);
        }
        return best != null;
    }

    private Duration work(List<ReferenceAllocation> victims) {
        return victims.stream()
                .filter(victim -> !victim.started.equals(Instant.MAX))
                .map(victim -> Duration.between(victim.started, now))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private @Nullable List<ReferenceAllocation> victimsOn(
            ReferenceNode node,
            String reason,
            ReferenceQueue leaf,
            ReferenceApplication application,
            ReferenceTask task) {
        if (node.takes(task) && leaf.upToRoot().stream().allMatch(queue -> queue.fits(task))) {
            return null; // only a reservation is in the way
        }
        List<ReferenceAllocation> candidates = preemptible.stream()
                .filter(victim -> victim.node == node && victim.state != TaskState.PREEMPTING)
                .filter(victim -> !ReferenceNeighbours.needs(task, victim))
                .filter(victim -> reason.equals("guarantee")
                        ? isOwed(leaf, task, victim)
                        : isOutranked(leaf, application, task, victim))
                .sorted(Comparator.comparingLong((ReferenceAllocation victim) ->
                                reason.equals("guarantee") ? shown(victim, leaf) : victim.spec.priority())
                        .thenComparing(
                                victim -> root.leafOf(victim).share(total),
                                ReferenceAmounts.byFractions().reversed())
                        .thenComparing(ReferenceAllocation.MOST_RECENT))
                .toList();
        List<ReferenceAllocation> victims = new ArrayList<>();
        for (ReferenceAllocation candidate : candidates) {
            List<ReferenceAllocation> more = new ArrayList<>(victims);
            more.add(candidate);
            if (!isEnough(node, leaf, task, victims) && keepsGuarantees(leaf, task, more)) {
                victims = more;
            }
        }
        if (!isEnough(node, leaf, task, victims)) {
            return null;
        }
        for (int i = victims.size() - 1; i >= 0; i--) {
            List<ReferenceAllocation> fewer = new ArrayList<>(victims);
            fewer.remove(i);
            victims = isEnough(node, leaf, task, fewer) ? fewer : victims;
        }
        boolean keepsCount = reason.equals("priority")
                && leaf.upToRoot().stream().anyMatch(q -> q.sharesByLoad() && q.threshold() > 0);
        return keepsCount && victims.size() > 1 ? null : victims;
    }

    private static boolean isEnough(
            ReferenceNode node, ReferenceQueue leaf, ReferenceTask task, List<ReferenceAllocation> victims) {
        return !victims.isEmpty()
                && node.takesWithout(victims, task)
                && leaf.upToRoot().stream().allMatch(queue -> queue.fitsWithout(within(queue, victims), task));
    }

    private static List<ReferenceAllocation> within(ReferenceQueue queue, List<ReferenceAllocation> tasks) {
        return tasks.stream()
                .filter(task -> queue.all().anyMatch(application -> application == task.application))
                .toList();
    }

    /** Whether no queue that loses something has less than its guarantee afterwards. */
    static boolean keepsGuarantees(ReferenceQueue from, ReferenceTask task, List<ReferenceAllocation> victims) {
        List<ReferenceQueue> gaining = from.upToRoot();
        ReferenceQueue root = gaining.get(gaining.size() - 1);
        return root.queues().allMatch(queue -> {
            SortedMap<String, Long> before = queue.allocated();
            SortedMap<String, Long> after = new TreeMap<>(before);
            within(queue, victims).forEach(victim -> ReferenceAmounts.subtract(after, victim.demand));
            if (gaining.contains(queue)) {
                ReferenceAmounts.add(after, task.demand);
            }
            return queue.guaranteed.entrySet().stream()
                    .allMatch(least -> after.getOrDefault(least.getKey(), 0L) >= least.getValue()
                            || after.getOrDefault(least.getKey(), 0L) >= before.getOrDefault(least.getKey(), 0L));
        });
    }

    /** Returns the queues of the first task's leaf that do not contain the second. */
    private List<ReferenceQueue> apart(ReferenceQueue leaf, ReferenceQueue other) {
        List<ReferenceQueue> shared = other.upToRoot();
        return leaf.upToRoot().stream().filter(queue -> !shared.contains(queue)).toList();
    }

    private boolean isOwed(ReferenceQueue leaf, ReferenceTask task, ReferenceAllocation victim) {
        List<ReferenceQueue> due = apart(leaf, root.leafOf(victim));
        boolean any = due.stream()
                .anyMatch(queue -> task.demand.entrySet().stream()
                        .anyMatch(demand ->
                                demand.getValue() > 0 && queue.guaranteed.getOrDefault(demand.getKey(), 0L) > 0));
        boolean all = due.stream()
                .allMatch(queue -> queue.parent != null
                        && queue.parent.sharesFairly()
                        && !queue.isPreemptionFence()
                        && hasGuaranteeFor(queue, task));
        return any && all && (!comparesPriorities(victim, leaf) || shown(victim, leaf) <= shown(task, leaf, victim));
    }

    private static boolean hasGuaranteeFor(ReferenceQueue queue, ReferenceTask task) {
        for (Map.Entry<String, Long> least : queue.guaranteed.entrySet()) {
            long demand = task.demand.getOrDefault(least.getKey(), 0L);
            long allocated = queue.allocated().getOrDefault(least.getKey(), 0L);
            if (demand > 0 && least.getValue() > 0 && allocated + demand > least.getValue()) {
                return false;
            }
        }
        return true;
    }

    private boolean comparesPriorities(ReferenceAllocation victim, ReferenceQueue leaf) {
        List<ReferenceQueue> of = root.leafOf(victim).upToRoot();
        return leaf.upToRoot().stream()
                .filter(of::contains)
                .findFirst()
                .orElseThrow()
                .usesPriorities();
    }

    private long shown(ReferenceAllocation victim, ReferenceQueue leaf) {
        long priority = victim.spec.priority();
        for (ReferenceQueue queue : apart(root.leafOf(victim), leaf)) {
            priority = queue.shown(priority);
        }
        return comparesPriorities(victim, leaf) ? priority : 0;
    }

    private long shown(ReferenceTask task, ReferenceQueue leaf, ReferenceAllocation victim) {
        long priority = task.spec.priority();
        for (ReferenceQueue queue : apart(leaf, root.leafOf(victim))) {
            priority = queue.shown(priority);
        }
        return priority;
    }

    private boolean isOutranked(
            ReferenceQueue leaf, ReferenceApplication application, ReferenceTask task, ReferenceAllocation victim) {
        return leaf.preemptsByPriority()
                && leaf.usesPriorities()
                && root.leafOf(victim) == leaf
                && victim.application != application
                && victim.spec.priority() < task.spec.priority();
    }
}
