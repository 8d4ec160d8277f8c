package dev.sluice.core.reference;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The loans that one parent may reclaim in a cycle. */
final class PlainReclaim {

    private static final int REFUSALS_MAX = 1_000;

    final PlainQueue parent;

    /** The tasks that may be preempted, the most recently started first. */
    final List<PlainStanding> candidates;

    private final Map<PlainQueue, Long> planned = new LinkedHashMap<>();
    private final Map<PlainQueue, Long> loans = new LinkedHashMap<>();
    private final Map<PlainQueue, Long> entitlements = new LinkedHashMap<>();
    private int refusals;
    private boolean used;

    PlainReclaim(PlainQueue parent, PlainDivision division) {
        this.parent = parent;
        for (PlainDivision.Share share : division.classes) {
            PlainQueue child = parent.children.get(share.position);
            planned.put(child, share.stop);
            loans.put(child, Math.min(share.stoppable(), Math.max(0, share.running - share.entitlement)));
            entitlements.put(child, share.entitlement);
        }
        candidates = parent.standing()
                .filter(PlainStanding::isStoppable)
                .sorted(PlainStanding.MOST_RECENT)
                .toList();
    }

    private PlainQueue classOf(PlainStanding task) {
        return parent.children.stream()
                .filter(child -> child.all().anyMatch(application -> application == task.application))
                .findFirst()
                .orElseThrow();
    }

    boolean isOpen() {
        return refusals < REFUSALS_MAX && loans.values().stream().anyMatch(tasks -> tasks > 0);
    }

    /** What those below the parent may expect to become free: each class loses its most recently started tasks. */
    SortedMap<String, Long> expected() {
        SortedMap<String, Long> expected = new TreeMap<>();
        planned.forEach((child, tasks) -> candidates.stream()
                .filter(task -> classOf(task) == child)
                .limit(tasks)
                .forEach(task -> PlainAmounts.add(expected, task.demand)));
        return expected;
    }

    void spare(PlainQueue child) {
        planned.put(child, 0L);
        loans.put(child, 0L);
    }

    boolean isVain() {
        return refusals > 0 && !used;
    }

    void refused() {
        refusals++;
    }

    /** A task was preempted; returns whether it is the first. */
    boolean preempted(PlainStanding task) {
        boolean first = !used;
        used = true;
        planned.merge(classOf(task), -1L, Long::sum);
        loans.merge(classOf(task), -1L, Long::sum);
        return first;
    }

    /**
     * The tasks to preempt for this one, all on one node, or null: as many of each class as planned at most, or, for a class below its entitlement, as
     * many as are on loan.
     */
    @Nullable List<PlainStanding> victimsFor(PlainTask task, PlainQueue child) {
        List<PlainStanding> victims = victimsFor(task, planned);
        boolean below = child.placedTasks() < entitlements.getOrDefault(child, 0L);
        return victims == null && below ? victimsFor(task, loans) : victims;
    }

    private @Nullable List<PlainStanding> victimsFor(PlainTask task, Map<PlainQueue, Long> most) {
        for (PlainStanding candidate : candidates) {
            List<PlainStanding> victims =
                    mayPreempt(candidate, most) ? victimsOn(candidate.node, task, most) : List.of();
            if (!victims.isEmpty() && isWithin(most, victims) && isWithinMaxima(task, victims)) {
                return victims;
            }
        }
        return null;
    }

    private boolean mayPreempt(PlainStanding candidate, Map<PlainQueue, Long> most) {
        return candidate.isStoppable() && most.getOrDefault(classOf(candidate), 0L) > 0;
    }

    /** As many as it takes, the most recently started first; then those are spared that it does not take, oldest first. */
    private List<PlainStanding> victimsOn(PlainNode node, PlainTask task, Map<PlainQueue, Long> most) {
        List<PlainStanding> victims = new ArrayList<>();
        for (PlainStanding candidate : candidates) {
            boolean enough = !victims.isEmpty() && node.takesWithout(victims, task);
            if (candidate.node == node && mayPreempt(candidate, most) && !enough) {
                victims.add(candidate);
            }
        }
        if (!node.takesWithout(victims, task)) {
            return List.of();
        }
        for (PlainStanding victim :
                victims.stream().sorted(PlainStanding.MOST_RECENT.reversed()).toList()) {
            List<PlainStanding> others =
                    victims.stream().filter(other -> other != victim).toList();
            if (!others.isEmpty() && node.takesWithout(others, task)) {
                victims.remove(victim);
            }
        }
        return victims;
    }

    private boolean isWithin(Map<PlainQueue, Long> most, List<PlainStanding> victims) {
        return victims.stream()
                .allMatch(victim -> most.getOrDefault(classOf(victim), 0L)
                        >= victims.stream()
                                .filter(other -> classOf(other) == classOf(victim))
                                .count());
    }

    private boolean isWithinMaxima(PlainTask task, List<PlainStanding> victims) {
        return parent.upToRoot().stream().allMatch(queue -> queue.hasRoomWithout(victims, task));
    }
}
