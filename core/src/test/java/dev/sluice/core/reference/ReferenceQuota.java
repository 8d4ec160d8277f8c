package dev.sluice.core.reference;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Preemption of tasks of queues that use more than their maximum, at the start of a cycle. */
final class ReferenceQuota {

    private final ReferenceQueue root;
    private final SortedMap<String, Long> total;
    private final Instant now;
    private final List<String> steps;

    ReferenceQuota(ReferenceQueue root, SortedMap<String, Long> total, Instant now, List<String> steps) {
        this.root = root;
        this.total = total;
        this.now = now;
        this.steps = steps;
    }

    void run() {
        List<ReferenceQueue> queues = new ArrayList<>(root.queues().toList());
        Collections.reverse(queues);
        for (ReferenceQueue queue : queues) {
            Duration delay = queue.quotaDelay();
            if (!delay.isZero() && !excess(queue, List.of()).isEmpty()) {
                enforce(queue, delay);
            }
        }
    }

    private void enforce(ReferenceQueue queue, Duration delay) {
        Instant since = queue.overMaximumSince;
        if (since == null) {
            steps.add(ReferenceCycle.maximumExceeded(queue.path));
        } else if (!since.plus(delay).isAfter(now)) {
            victims(queue).forEach(victim -> ReferenceCycleOpening.stop(victim, "quota", steps));
        }
    }

    private List<ReferenceAllocation> victims(ReferenceQueue queue) {
        Comparator<ReferenceAllocation> order = Comparator.comparingLong(
                        (ReferenceAllocation task) -> shown(task, queue))
                .thenComparing(
                        task -> root.leafOf(task).share(total),
                        ReferenceAmounts.byFractions().reversed())
                .thenComparing(ReferenceAllocation.MOST_RECENT);
        List<ReferenceAllocation> candidates = queue.tasksOnNodes()
                .filter(task -> task.isStarted() && !root.protects(task, now))
                .sorted(order)
                .toList();
        List<ReferenceAllocation> victims = new ArrayList<>();
        for (ReferenceAllocation candidate : candidates) {
            List<ReferenceAllocation> more = new ArrayList<>(victims);
            more.add(candidate);
            if (!excess(queue, more).equals(excess(queue, victims)) && keepsGuarantees(more)) {
                victims = more;
            }
        }
        for (int i = victims.size() - 1; i >= 0; i--) {
            List<ReferenceAllocation> fewer = new ArrayList<>(victims);
            fewer.remove(i);
            victims = excess(queue, fewer).equals(excess(queue, victims)) ? fewer : victims;
        }
        return victims;
    }

    /** Returns by how much a queue exceeds its maximum without these tasks, by resource type. */
    private static SortedMap<String, Long> excess(ReferenceQueue queue, List<ReferenceAllocation> without) {
        SortedMap<String, Long> allocated = queue.allocated();
        without.forEach(task -> ReferenceAmounts.subtract(allocated, task.demand));
        SortedMap<String, Long> excess = new TreeMap<>();
        queue.max.forEach((type, most) -> {
            long over = allocated.getOrDefault(type, 0L) - most;
            if (over > 0) {
                excess.put(type, over);
            }
        });
        return excess;
    }

    /** Whether no queue that loses something has less than its guarantee without these tasks. */
    private boolean keepsGuarantees(List<ReferenceAllocation> without) {
        return root.queues().allMatch(queue -> {
            List<ReferenceAllocation> lost = without.stream()
                    .filter(task -> root.leafOf(task).upToRoot().contains(queue))
                    .toList();
            SortedMap<String, Long> after = queue.allocated();
            lost.forEach(task -> ReferenceAmounts.subtract(after, task.demand));
            return queue.guaranteed.entrySet().stream()
                    .allMatch(least -> after.getOrDefault(least.getKey(), 0L) >= least.getValue()
                            || lost.stream().allMatch(task -> task.demand.getOrDefault(least.getKey(), 0L) == 0));
        });
    }

    private long shown(ReferenceAllocation task, ReferenceQueue above) {
        if (!above.usesPriorities()) {
            return 0;
        }
        long priority = task.spec.priority();
        for (ReferenceQueue each = root.leafOf(task); each != above; each = Objects.requireNonNull(each.parent)) {
            priority = each.shown(priority);
        }
        return priority;
    }
}
