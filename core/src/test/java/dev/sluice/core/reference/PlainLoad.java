package dev.sluice.core.reference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a parent that shares by load hands out in one cycle: first what the division says, then what still fits one by one. */
final class PlainLoad {

    private final List<PlainQueue> byLoad = new ArrayList<>();
    private final Map<String, Long> left = new TreeMap<>();
    private final Map<String, Long> percents = new TreeMap<>();
    private final Set<PlainQueue> preempted = new LinkedHashSet<>();
    private final @Nullable PlainReclaim reclaim;

    /** The classes that were below their entitlements. */
    private final Set<PlainQueue> due = new LinkedHashSet<>();

    private @Nullable PlainQueue served;

    /** The division of these classes, and the loans that may be reclaimed for it. */
    PlainLoad(PlainDivision division, List<PlainQueue> classes, @Nullable PlainReclaim reclaim) {
        this.reclaim = reclaim;
        for (PlainDivision.Share share : division.byLoad) {
            PlainQueue queue = classes.get(share.position);
            byLoad.add(queue);
            left.put(queue.path, share.start);
            percents.put(queue.path, share.percent);
            if (queue.placedTasks() < share.entitlement) {
                due.add(queue);
            }
        }
    }

    /** How many tasks a class may still start by the division. */
    long left(PlainQueue child) {
        return left.getOrDefault(child.path, 0L);
    }

    private long percent(PlainQueue child) {
        return percents.getOrDefault(child.path, 0L);
    }

    private @Nullable PlainQueue nextByDivision() {
        return byLoad.stream()
                .filter(child -> left(child) > 0 && child.isInPlay())
                .findFirst()
                .orElse(null);
    }

    /** The class that is served next, or null: the lowest running ÷ load % where the division says nothing more. */
    @Nullable PlainQueue next() {
        PlainQueue next = nextByDivision();
        served = next;
        if (next != null) {
            return next;
        }
        Comparator<PlainQueue> lowest =
                (a, b) -> Long.compare(a.placedTasks() * percent(b), b.placedTasks() * percent(a));
        return byLoad.stream()
                .filter(child -> child.loadPercent() > 0 && !preempted.contains(child) && child.isInPlay())
                .min(lowest.thenComparing(byLoad::indexOf))
                .orElse(null);
    }

    /** The loans that may be reclaimed for the class that was served last. */
    @Nullable PlainReclaim reclaim() {
        return served != null && due.contains(served) && reclaim != null && reclaim.isOpen() ? reclaim : null;
    }

    /** The loans that may be reclaimed at all. */
    @Nullable PlainReclaim anyReclaim() {
        return reclaim;
    }

    /** The class for whose tasks loans may be reclaimed next, or null. */
    @Nullable PlainQueue nextBeneficiary() {
        served = byLoad.stream()
                .filter(child -> left(child) > 0 && child.isInPlay() && due.contains(child))
                .findFirst()
                .orElse(null);
        return reclaim != null && reclaim.isOpen() ? served : null;
    }

    /** A task below a class was preempted for another class. */
    void preempted(PlainQueue child) {
        preempted.add(child);
    }

    boolean hasPreempted(PlainQueue child) {
        return preempted.contains(child);
    }

    /** A task below a class was preempted for others below it. */
    void freed(PlainQueue child) {
        if (!preempted.contains(child)) {
            left.merge(child.path, 1L, Long::sum);
        }
    }

    /** A class has started a task. */
    void placed(PlainQueue child) {
        if (left(child) > 0) {
            left.merge(child.path, -1L, Long::sum);
        }
        if (reclaim != null) {
            reclaim.spare(child);
        }
    }
}
