package dev.sluice.core.reference;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The loans that one parent may reclaim in a cycle. */
final class ReferenceReclaim {

    private static final int REFUSALS_MAX = 1_000;

    final ReferenceQueue parent;

    /** The tasks that may be preempted, most recently started first. */
    final List<ReferenceAllocation> reclaimable;

    private final Map<ReferenceQueue, Long> planned = new LinkedHashMap<>();
    private final Map<ReferenceQueue, Long> loans = new LinkedHashMap<>();
    private Predicate<ReferenceNode> reserved = node -> false;
    private final Map<ReferenceQueue, Long> entitlements = new LinkedHashMap<>();
    private int refusals;
    private boolean used;

    ReferenceReclaim(ReferenceQueue parent, ReferenceDivision division, Instant now) {
        this.parent = parent;
        for (ReferenceDivision.Share share : division.classes) {
            ReferenceQueue child = parent.children.get(share.position);
            planned.put(child, share.stop);
            loans.put(child, Math.min(share.reclaimable(), Math.max(0, share.running - share.entitlement)));
            entitlements.put(child, share.entitlement);
        }
        reclaimable = parent.tasksOnNodes()
                .filter(task -> task.isReclaimable() && !parent.protects(task, now))
                .sorted(ReferenceAllocation.MOST_RECENT)
                .toList();
    }

    /** Says which nodes are reserved. */
    void reserve(Predicate<ReferenceNode> isReserved) {
        reserved = isReserved;
    }

    private ReferenceQueue classOf(ReferenceAllocation task) {
        return parent.children.stream()
                .filter(child -> child.all().anyMatch(application -> application == task.application))
                .findFirst()
                .orElseThrow();
    }

    boolean hasMore() {
        return refusals < REFUSALS_MAX && loans.values().stream().anyMatch(tasks -> tasks > 0);
    }

    /**
     * Returns the capacity that queues below the parent may expect to become free: each class loses its most recently
     * started tasks.
     */
    SortedMap<String, Long> expected() {
        SortedMap<String, Long> expected = new TreeMap<>();
        planned.forEach((child, tasks) -> reclaimable.stream()
                .filter(task -> classOf(task) == child)
                .limit(tasks)
                .forEach(task -> ReferenceAmounts.add(expected, task.demand)));
        return expected;
    }

    void exempt(ReferenceQueue child) {
        planned.put(child, 0L);
        loans.put(child, 0L);
    }

    boolean isUnused() {
        return refusals > 0 && !used;
    }

    void refused() {
        refusals++;
    }

    /** Records a preempted task; returns whether it is the first. */
    boolean preempted(ReferenceAllocation task) {
        boolean first = !used;
        used = true;
        planned.merge(classOf(task), -1L, Long::sum);
        loans.merge(classOf(task), -1L, Long::sum);
        return first;
    }

    /**
     * Returns the tasks to preempt for this one, all on one node, or null: at most the planned number per class or, for
     * a class below its entitlement, the number on loan.
     */
    @Nullable List<ReferenceAllocation> victimsFor(ReferenceTask task, ReferenceQueue child) {
        List<ReferenceAllocation> victims = victimsFor(task, child, planned);
        boolean below = child.allocatedTasks() < entitlements.getOrDefault(child, 0L);
        return victims == null && below ? victimsFor(task, child, loans) : victims;
    }

    private @Nullable List<ReferenceAllocation> victimsFor(
            ReferenceTask task, ReferenceQueue child, Map<ReferenceQueue, Long> most) {
        for (ReferenceAllocation candidate : reclaimable) {
            List<ReferenceAllocation> victims =
                    mayPreempt(candidate, most) ? victimsOn(candidate.node, task, most) : List.of();
            if (!victims.isEmpty()
                    && isWithin(most, victims)
                    && isWithinMaxima(task, victims)
                    && ReferencePreemption.keepsGuarantees(child, task, victims)) {
                return victims;
            }
        }
        return null;
    }

    private boolean mayPreempt(ReferenceAllocation candidate, Map<ReferenceQueue, Long> most) {
        return candidate.isReclaimable() && most.getOrDefault(classOf(candidate), 0L) > 0;
    }

    /**
     * Adds tasks until the demand fits, most recently started first, then spares those that are not needed, oldest
     * first.
     */
    private List<ReferenceAllocation> victimsOn(
            ReferenceNode node, ReferenceTask task, Map<ReferenceQueue, Long> most) {
        List<ReferenceAllocation> victims = new ArrayList<>();
        for (ReferenceAllocation candidate : reclaimable) {
            boolean enough = !victims.isEmpty() && node.takesWithout(victims, task);
            boolean spared = ReferenceNeighbours.needs(task, candidate);
            if (candidate.node == node && mayPreempt(candidate, most) && !spared && !enough) {
                victims.add(candidate);
            }
        }
        boolean refused = reserved.test(node) && node.takes(task);
        if (refused || victims.isEmpty() || !node.takesWithout(victims, task)) {
            return List.of();
        }
        for (ReferenceAllocation victim : victims.stream()
                .sorted(ReferenceAllocation.MOST_RECENT.reversed())
                .toList()) {
            List<ReferenceAllocation> others =
                    victims.stream().filter(other -> other != victim).toList();
            if (!others.isEmpty() && node.takesWithout(others, task)) {
                victims.remove(victim);
            }
        }
        return victims;
    }

    private boolean isWithin(Map<ReferenceQueue, Long> most, List<ReferenceAllocation> victims) {
        return victims.stream()
                .allMatch(victim -> most.getOrDefault(classOf(victim), 0L)
                        >= victims.stream()
                                .filter(other -> classOf(other) == classOf(victim))
                                .count());
    }

    private boolean isWithinMaxima(ReferenceTask task, List<ReferenceAllocation> victims) {
        return parent.upToRoot().stream().allMatch(queue -> queue.fitsWithout(victims, task));
    }
}
