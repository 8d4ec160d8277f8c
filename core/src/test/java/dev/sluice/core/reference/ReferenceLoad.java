package dev.sluice.core.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a parent that shares by load gives out in one cycle: first the planned starts, then other tasks that fit, one by
 * one.
 */
final class ReferenceLoad {

    private final List<ReferenceQueue> byLoad = new ArrayList<>();
    private final Map<String, Long> left = new TreeMap<>();
    private final Map<String, Long> percents = new TreeMap<>();
    private final Set<ReferenceQueue> preempted = new LinkedHashSet<>();
    private final @Nullable ReferenceReclaim reclaim;

    /** The classes that were below their entitlements. */
    private final Set<ReferenceQueue> due = new LinkedHashSet<>();

    private @Nullable ReferenceQueue served;

    /** Whether the planned starts were used up once: a gang counts as one task then. */
    private boolean oneByOne;

    /** Creates the division of these classes, and the loans that may be reclaimed for it. */
    ReferenceLoad(ReferenceDivision division, List<ReferenceQueue> classes, @Nullable ReferenceReclaim reclaim) {
        this.reclaim = reclaim;
        for (ReferenceDivision.Share share : division.byLoad) {
            ReferenceQueue queue = classes.get(share.position);
            byLoad.add(queue);
            left.put(queue.path, share.start);
            percents.put(queue.path, share.percent);
            if (queue.allocatedTasks() < share.entitlement) {
                due.add(queue);
            }
        }
    }

    /** Returns the remaining planned starts of a class. */
    long left(ReferenceQueue child) {
        return left.getOrDefault(child.path, 0L);
    }

    /** Whether a gang of this size may start in a class. */
    boolean permitsGang(ReferenceQueue child, int size) {
        return oneByOne || size <= left(child);
    }

    private long percent(ReferenceQueue child) {
        return percents.getOrDefault(child.path, 0L);
    }

    private @Nullable ReferenceQueue nextByDivision() {
        return byLoad.stream()
                .filter(child -> left(child) > 0 && child.isEligible())
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the class that is served next, or null: without planned starts the lowest running ÷ load %. Notifies the
     * receiver if this changes which tasks are eligible.
     */
    @Nullable ReferenceQueue next(Runnable observeAll) {
        ReferenceQueue next = nextByDivision();
        if (next == null && !oneByOne) {
            oneByOne = true;
            byLoad.forEach(ReferenceQueue::requeue);
            observeAll.run();
            next = nextByDivision();
        }
        served = next;
        if (next != null) {
            return next;
        }
        Comparator<ReferenceQueue> lowest =
                (a, b) -> Long.compare(a.allocatedTasks() * percent(b), b.allocatedTasks() * percent(a));
        return byLoad.stream()
                .filter(child -> child.loadPercent() > 0 && !preempted.contains(child) && child.isEligible())
                .min(lowest.thenComparing(byLoad::indexOf))
                .orElse(null);
    }

    /** Returns the loans that may be reclaimed for the last served class. */
    @Nullable ReferenceReclaim reclaim() {
        return served != null && due.contains(served) && reclaim != null && reclaim.hasMore() ? reclaim : null;
    }

    /** Returns all loans that may be reclaimed. */
    @Nullable ReferenceReclaim anyReclaim() {
        return reclaim;
    }

    /** Returns the next class for whose tasks loans may be reclaimed, or null. */
    @Nullable ReferenceQueue nextBeneficiary() {
        served = byLoad.stream()
                .filter(child -> left(child) > 0 && child.isEligible() && due.contains(child))
                .findFirst()
                .orElse(null);
        return reclaim != null && reclaim.hasMore() ? served : null;
    }

    /** Called when a task below a class was preempted for another class. */
    void preempted(ReferenceQueue child) {
        preempted.add(child);
    }

    boolean hasPreempted(ReferenceQueue child) {
        return preempted.contains(child);
    }

    /** Called when a task below a class was preempted for others below it. */
    void freed(ReferenceQueue child) {
        if (!preempted.contains(child)) {
            left.merge(child.path, 1L, Long::sum);
        }
    }

    /** Called when a class has started a task. */
    void placed(ReferenceQueue child) {
        if (left(child) > 0) {
            left.merge(child.path, -1L, Long::sum);
        }
        if (reclaim != null) {
            reclaim.exempt(child);
        }
    }
}
