package dev.sluice.core.schedule;

import dev.sluice.core.state.Changes;
import dev.sluice.core.state.ExpectedEnd;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeForecast;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where and when tasks are expected to start first, on nodes that are not reserved for others.
 *
 * <p>For speed, each equivalence class remembers that no node is expected to hold it until a node has more free in the
 * end than before. Not so classes for which other tasks decide about nodes: what they may use changes with each
 * allocation.
 */
final class StartSearch {

    private final Partition partition;
    private final EquivalenceClasses equivalenceClasses;
    private final NodeCapacityIndex capacityIndex;
    private final Consumer<Instant> wake;

    private final FreeInTheEnd freeInTheEnd;

    /** The nodes whose reservations have ended since {@link #forgetGrown}. */
    private final List<Node> freed = new ArrayList<>();

    /** Grows when what classes remember does not hold any more. */
    private long generation;

    private Instant now = Instant.MIN;

    /** Where and when a task can start first. */
    record Plan(Node node, Instant start) {}

    /**
     * Creates the search of a partition.
     *
     * @param wake is told when something may have changed without any event
     */
    StartSearch(
            Partition partition,
            EquivalenceClasses equivalenceClasses,
            NodeCapacityIndex capacityIndex,
            Consumer<Instant> wake) {
        this.partition = partition;
        this.equivalenceClasses = equivalenceClasses;
        this.capacityIndex = capacityIndex;
        this.freeInTheEnd = new FreeInTheEnd(partition);
        this.wake = wake;
    }

    /** Begins a cycle at this time. */
    void begin(Instant at) {
        now = at;
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void allChanged() {
        generation++;
        freeInTheEnd.allChanged();
        freed.clear();
    }

    /** Called when tasks on nodes have changed. */
    void tasksChanged(Changes changes) {
        freeInTheEnd.tasksChanged(changes);
    }

    /** Called when reservations of these nodes have ended. */
    void freed(List<Node> nodes) {
        freed.addAll(nodes);
    }

    /**
     * Returns where and when a task of this class is expected to start first, or null if never.
     *
     * @param own the reservation that it would replace, or null
     */
    @Nullable Plan first(EquivalenceClass equivalenceClass, @Nullable Reservation own) {
        Plan plan = best(equivalenceClass, own, null);
        if (own == null) {
            remember(equivalenceClass, plan != null);
        }
        return plan;
    }

    /** Returns the best of this plan and those on all nodes: the earliest, then this one, then in node order. */
    @Nullable Plan best(EquivalenceClass equivalenceClass, @Nullable Reservation own, @Nullable Plan preferred) {
        forgetGrown();
        Best best = new Best(equivalenceClass, own, preferred);
        freeInTheEnd.any(equivalenceClass.demand, node -> {
            best.consider(node);
            return false;
        });
        return best.plan;
    }

    /** Like {@link #best(EquivalenceClass, Reservation, Plan)}, on these nodes alone. */
    @Nullable Plan best(
            EquivalenceClass equivalenceClass,
            @Nullable Reservation own,
            @Nullable Plan preferred,
            Iterable<Node> nodes) {
        forgetGrown();
        Best best = new Best(equivalenceClass, own, preferred);
        nodes.forEach(best::consider);
        return best.plan;
    }

    /** The best plan of those considered so far. */
    private final class Best {
        private final EquivalenceClass equivalenceClass;
        private final @Nullable Reservation own;
        private final @Nullable Plan preferred;
        private @Nullable Plan plan;

        private Best(EquivalenceClass equivalenceClass, @Nullable Reservation own, @Nullable Plan preferred) {
            this.equivalenceClass = equivalenceClass;
            this.own = own;
            this.preferred = preferred;
            this.plan = preferred;
        }

        private void consider(Node node) {
            if ((preferred != null && node == preferred.node) || !mayHold(node, equivalenceClass, own)) {
                return;
            }
            Instant start = NodeForecast.startOn(node, equivalenceClass.demand, now);
            int order = plan == null ? start.compareTo(ExpectedEnd.NEVER) : start.compareTo(plan.start);
            if (order < 0
                    || (order == 0
                            && plan != null
                            && !plan.equals(preferred)
                            && capacityIndex.compare(node, plan.node) < 0)) {
                plan = new Plan(node, start);
            }
        }
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
        Task known = equivalenceClass.freeing;
        if (known != null && frees(known, equivalenceClass, own, delay)) {
            wake.accept(ExpectedEnd.of(known, now)); // it may last longer
            return true;
        }
        for (Node node : partition.nodes()) {
            for (Task task : node.tasks()) {
                if (frees(task, equivalenceClass, own, delay)) {
                    equivalenceClass.freeing = task;
                    wake.accept(ExpectedEnd.of(task, now));
                    return true;
                }
            }
        }
        equivalenceClass.freeing = null;
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

    /**
     * Returns whether some node that is not reserved is expected to hold this class at some time. Must only be called
     * for a class that none of these nodes fits now.
     */
    boolean mayBePlanned(EquivalenceClass equivalenceClass) {
        if (isRemembered(equivalenceClass)) {
            return equivalenceClass.startsEver;
        }
        remember(
                equivalenceClass,
                freeInTheEnd.anyWithMore(equivalenceClass.demand, node -> mayHold(node, equivalenceClass, null))
                        != null);
        return equivalenceClass.startsEver;
    }

    /** Returns whether it is known that no node that is not reserved is expected to hold this class. */
    boolean isUnplanned(EquivalenceClass equivalenceClass) {
        return isRemembered(equivalenceClass) && !equivalenceClass.startsEver;
    }

    private void remember(EquivalenceClass equivalenceClass, boolean startsEver) {
        equivalenceClass.startsEver = startsEver;
        equivalenceClass.startsGeneration = equivalenceClass.tasks.isActive() ? -1 : generation;
    }

    private boolean isRemembered(EquivalenceClass equivalenceClass) {
        forgetGrown();
        return equivalenceClass.startsGeneration == generation && !equivalenceClass.tasks.isActive();
    }

    /** Returns what is free on a node when all runs with a known end have ended: nothing if it is not ready. */
    long[] freeInTheEnd(Node node) {
        forgetGrown();
        return freeInTheEnd.of(node);
    }

    /** Returns some node that passes the check and has this much free when all runs with a known end have ended. */
    @Nullable Node anyInTheEnd(long[] demand, Predicate<Node> check) {
        forgetGrown();
        return freeInTheEnd.any(demand, check);
    }

    /** Forgets that no node holds a class where a node that has more free in the end than before may hold it. */
    private void forgetGrown() {
        if (freeInTheEnd.isOutdated()) {
            allChanged();
        }
        if (freed.isEmpty() && !freeInTheEnd.isChanged()) {
            return;
        }
        List<Node> grown = new ArrayList<>(freed);
        freed.clear();
        freeInTheEnd.update(grown);
        if (grown.isEmpty()) {
            return;
        }
        long[] most = freeInTheEnd.most(grown);
        for (EquivalenceClass each : equivalenceClasses.all()) {
            if (each.startsGeneration == generation && !each.startsEver && mayStartOn(grown, most, each)) {
                each.startsGeneration = -1;
            }
        }
    }

    private boolean mayStartOn(List<Node> grown, long[] most, EquivalenceClass equivalenceClass) {
        return equivalenceClass.tasks.isActive()
                || (Vectors.covers(most, equivalenceClass.demand)
                        && grown.stream()
                                .anyMatch(node -> freeInTheEnd.covers(node, equivalenceClass.demand)
                                        && mayHold(node, equivalenceClass, null)));
    }
}
