package dev.sluice.core.schedule;

import dev.sluice.core.state.ExpectedEnd;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeForecast;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where and when tasks are expected to start first, on nodes that are not reserved for others.
 *
 * <p>For speed, the classes that no node is expected to hold are remembered until a node changes. Not so classes for
 * which other tasks decide about nodes: what they may use changes with each allocation.
 */
final class StartSearch {

    private static final int REMEMBERED_MAX = 1_000;

    private final Partition partition;
    private final NodeCapacityIndex capacityIndex;
    private final Consumer<Instant> wake;

    /** The classes that no free node is expected to hold at any time. */
    private final Set<EquivalenceClass> unplanned = new HashSet<>();

    /** The classes that were not among those when last checked: only for them a cycle is due when a delay ends. */
    private final Set<EquivalenceClass> planned = new HashSet<>();

    /** The run that was last found to free as much as a class needs. */
    private final Map<EquivalenceClass, Task> freeing = new HashMap<>();

    private final Set<Node> changedSinceSearch = new LinkedHashSet<>();
    private Instant now = Instant.MIN;

    /** Where and when a task can start first. */
    record Plan(Node node, Instant start) {}

    /**
     * Creates the search of a partition.
     *
     * @param wake is told when something may have changed without any event
     */
    StartSearch(Partition partition, NodeCapacityIndex capacityIndex, Consumer<Instant> wake) {
        this.partition = partition;
        this.capacityIndex = capacityIndex;
        this.wake = wake;
    }

    /** Begins a cycle at this time. */
    void begin(Instant at) {
        now = at;
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void allChanged() {
        planned.clear();
        unplanned.clear();
        changedSinceSearch.clear();
    }

    /** Called when the tasks on these nodes have changed. */
    void nodesChanged(List<Node> nodes) {
        if (!unplanned.isEmpty()) {
            changedSinceSearch.addAll(nodes);
        }
    }

    /**
     * Returns where and when a task of this class is expected to start first, or null if never.
     *
     * @param own the reservation that it would replace, or null
     */
    @Nullable Plan first(EquivalenceClass equivalenceClass, @Nullable Reservation own) {
        Plan plan = search(equivalenceClass, own, partition.nodes(), null);
        if (plan == null && own == null && !equivalenceClass.tasks.isActive()) {
            unplanned.add(equivalenceClass);
        }
        return plan;
    }

    /** Returns the best of this plan and those on these nodes: the earliest, then this one, then in node order. */
    @Nullable Plan search(
            EquivalenceClass equivalenceClass,
            @Nullable Reservation own,
            Iterable<Node> nodes,
            @Nullable Plan preferred) {
        Plan best = preferred;
        for (Node node : nodes) {
            if (mayHold(node, equivalenceClass, own) && (preferred == null || node != preferred.node)) {
                Instant start = NodeForecast.startOn(node, equivalenceClass.demand, now);
                int order = best == null ? start.compareTo(ExpectedEnd.NEVER) : start.compareTo(best.start);
                if (order < 0
                        || (order == 0
                                && best != null
                                && !best.equals(preferred)
                                && capacityIndex.compare(node, best.node) < 0)) {
                    best = new Plan(node, start);
                }
            }
        }
        return best;
    }

    /** Returns whether a task of this class may be reserved on a node that has no other reservation than this. */
    boolean mayHold(Node node, EquivalenceClass equivalenceClass, @Nullable Reservation own) {
        if (!node.isReady()
                || node.isRemoved()
                || !node.isLargeEnoughFor(equivalenceClass.demand)
                || !VictimSearch.mayRunOn(node, equivalenceClass)) {
            return false;
        }
        return isFreeOfOthers(node, own);
    }

    /** Returns whether a node has no other reservation than this. */
    boolean isFreeOfOthers(Node node, @Nullable Reservation own) {
        Reservation other = partition.reservations().onNode(node.name());
        return other == null || (own != null && other.queue().equals(own.queue()));
    }

    /**
     * Returns whether one run that takes as much as this class needs is expected to end within the delay: then the task
     * waits for its turn, not for several ends, and a reservation would only go before the share policies.
     */
    boolean isFreedByOne(EquivalenceClass equivalenceClass, @Nullable Reservation own, Duration delay) {
        Task known = freeing.get(equivalenceClass);
        if (known != null && frees(known, equivalenceClass, own, delay)) {
            wake.accept(ExpectedEnd.of(known, now)); // it may last longer
            return true;
        }
        for (Node node : partition.nodes()) {
            for (Task task : node.tasks()) {
                if (frees(task, equivalenceClass, own, delay)) {
                    freeing.put(equivalenceClass, task);
                    wake.accept(ExpectedEnd.of(task, now));
                    return true;
                }
            }
        }
        freeing.remove(equivalenceClass);
        return false;
    }

    private boolean frees(Task task, EquivalenceClass equivalenceClass, @Nullable Reservation own, Duration delay) {
        for (int type = 0; type < equivalenceClass.demand.length; type++) {
            if (task.demand(type) < equivalenceClass.demand[type]) {
                return false;
            }
        }
        return task.group().placed(task.index()) == task
                && !task.isPreempting()
                && !ExpectedEnd.of(task, now).isAfter(now.plus(delay))
                && mayHold(task.node(), equivalenceClass, own);
    }

    /** Returns whether some free node is expected to hold this class at some time. */
    boolean mayBePlanned(EquivalenceClass equivalenceClass) {
        if (planned.contains(equivalenceClass) && !equivalenceClass.tasks.isActive()) {
            return true;
        }
        if (isUnplanned(equivalenceClass)) {
            return false;
        }
        boolean found = first(equivalenceClass, null) != null;
        if (found && !equivalenceClass.tasks.isActive()) {
            planned.add(equivalenceClass);
        }
        return found;
    }

    /** Returns whether it is known that no free node is expected to hold this class. */
    boolean isUnplanned(EquivalenceClass equivalenceClass) {
        if (unplanned.size() + planned.size() + freeing.size() > REMEMBERED_MAX) {
            unplanned.clear();
            planned.clear();
            freeing.clear();
        }
        unplanned.removeIf(other -> other.tasks.isActive()); // other tasks decide about nodes that have not changed
        for (Node node : changedSinceSearch) {
            unplanned.removeIf(other -> mayHold(node, other, null) && NodeForecast.isEverFree(node, other.demand));
        }
        changedSinceSearch.clear();
        return unplanned.contains(equivalenceClass);
    }
}
