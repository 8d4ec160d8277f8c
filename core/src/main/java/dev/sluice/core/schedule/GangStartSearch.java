package dev.sluice.core.schedule;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.Topology;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ExpectedEnd;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeForecast;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservedCapacity;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where and when the members of a gang are expected to fit together first, on nodes that are not reserved for others.
 *
 * <p>At each expected end of a run the members are placed one after the other, each on the first node in node order
 * that is expected to have enough free then. A required topology domain counts, a preferred one does not, and neither
 * do preferences for nodes.
 *
 * <p>For speed, gangs that do not fit at any time, in whatever order the nodes are, are remembered until a node gets
 * more capacity than it had.
 */
final class GangStartSearch {

    private static final int ATTEMPTS_MAX = 1_000;

    /** A time at which all runs that are expected to end have ended. */
    private static final Instant LAST = Instant.MAX.minusNanos(1);

    private final Partition partition;
    private final NodeCapacityIndex capacityIndex;
    private final TaskCounters counters;
    private final StartSearch starts;
    private final Set<Application> vain = new HashSet<>();

    /** The least that was expected to be free on each node at any time when a gang was remembered. */
    private final Map<Node, long[]> freeOnce = new HashMap<>();

    private final Set<Node> changed = new LinkedHashSet<>();
    private Instant now = Instant.MIN;

    /** On which nodes and when the members can start first. */
    record Plan(List<ReservedCapacity> capacity, Instant start) {}

    GangStartSearch(Partition partition, NodeCapacityIndex capacityIndex, TaskCounters counters, StartSearch starts) {
        this.partition = partition;
        this.capacityIndex = capacityIndex;
        this.counters = counters;
        this.starts = starts;
    }

    /** Begins a cycle at this time. */
    void begin(Instant at) {
        now = at;
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void allChanged() {
        vain.clear();
        freeOnce.clear();
        changed.clear();
    }

    /** Called when the tasks on these nodes have changed. */
    void nodesChanged(List<Node> nodes) {
        if (!vain.isEmpty()) {
            changed.addAll(nodes);
        }
    }

    /** Called when an application, or what it waits for, has changed. */
    void applicationChanged(Application application) {
        vain.remove(application);
    }

    /**
     * Returns whether it is known that the gang of an application is not expected to fit at any time, even if nothing
     * were reserved for others.
     */
    boolean isVain(Application application) {
        if (vain.contains(application)) {
            for (Node node : changed) {
                if (exceeds(freeOnce(node), freeOnce.get(node))) {
                    allChanged();
                    break;
                }
            }
            changed.clear();
        }
        return vain.contains(application);
    }

    /**
     * Returns where and when a gang is expected to start first, or null if never.
     *
     * @param own the reservation that it would replace, or null
     */
    @Nullable Plan first(GangTrial trial, @Nullable Reservation own) {
        Application application = trial.application.application;
        if (own == null && isVain(application)) {
            return null;
        }
        List<Node> ready = new ArrayList<>(partition.nodes());
        ready.removeIf(node -> !node.isReady() || node.isRemoved());
        ready.sort(capacityIndex::compare);
        List<Node> free =
                ready.stream().filter(node -> starts.isFreeOfOthers(node, own)).toList();
        Plan plan = first(trial, free);
        boolean ruled = trial.members().stream()
                .anyMatch(each -> each.equivalenceClass().tasks.isActive());
        if (plan == null && own == null && !ruled && !mayEverFit(trial, ready, free)) {
            remember(application);
        }
        return plan;
    }

    /**
     * Returns whether a gang for which there is no plan may get one without any node having more capacity. If its
     * members differ, that also depends on the order of the nodes, because each member takes the first that fits it.
     */
    private boolean mayEverFit(GangTrial trial, List<Node> ready, List<Node> free) {
        EquivalenceClass first = trial.members().get(0).equivalenceClass();
        boolean alike = trial.members().stream().allMatch(each -> each.equivalenceClass() == first);
        return alike ? free.size() < ready.size() && first(trial, ready) != null : mayFit(trial, ready, LAST);
    }

    /** Returns when a gang is expected to start first on the nodes of its reservation, or null if never. */
    @Nullable Plan again(GangTrial trial, Reservation own) {
        List<Node> nodes = nodes(own);
        nodes.removeIf(node -> !node.isReady() || node.isRemoved());
        return first(trial, nodes);
    }

    /** Returns the nodes of a reservation that exist, in its order. */
    List<Node> nodes(Reservation reservation) {
        List<Node> nodes = new ArrayList<>();
        for (ReservedCapacity part : reservation.capacity()) {
            Node node = partition.node(part.node());
            if (node != null) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    private long[] freeOnce(Node node) {
        return !node.isReady()
                ? Vectors.empty()
                : NodeForecast.freeAt(node, partition.types().size(), LAST, now);
    }

    private void remember(Application application) {
        boolean first = vain.isEmpty();
        for (Node node : partition.nodes()) {
            long[] free = freeOnce(node);
            freeOnce.put(node, first ? free : smaller(free, freeOnce.getOrDefault(node, Vectors.empty())));
        }
        vain.add(application);
    }

    private static long[] smaller(long[] a, long[] b) {
        long[] smaller = new long[Math.min(a.length, b.length)];
        for (int type = 0; type < smaller.length; type++) {
            smaller[type] = Math.min(a[type], b[type]);
        }
        return smaller;
    }

    private static boolean exceeds(long[] amounts, long @Nullable [] former) {
        for (int type = 0; type < amounts.length; type++) {
            if (former == null || amounts[type] > Vectors.at(former, type)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Plan first(GangTrial trial, List<Node> nodes) {
        Gang.Topology topology = trial.topology();
        if (topology == null || !topology.require()) {
            return firstAmong(trial, nodes);
        }
        List<String> levels = capacityIndex.levels();
        int level = levels.indexOf(topology.key());
        Map<String, List<Node>> domains = new TreeMap<>();
        for (Node node : nodes) {
            String path = level < 0 ? null : Topology.domain(levels.subList(0, level + 1), node.name(), node.labels());
            if (path != null) {
                domains.computeIfAbsent(path, key -> new ArrayList<>()).add(node);
            }
        }
        Plan best = null;
        for (List<Node> domain : domains.values()) {
            Plan plan = firstAmong(trial, domain);
            best = plan != null && (best == null || plan.start.isBefore(best.start)) ? plan : best;
        }
        return best;
    }

    /** Tries the expected ends in order, from the first at which each class of members alone fits. */
    private @Nullable Plan firstAmong(GangTrial trial, List<Node> nodes) {
        List<Instant> times = new ArrayList<>(times(nodes));
        int low = 0;
        int high = times.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (mayFit(trial, nodes, times.get(middle))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        for (int i = low; i < Math.min(times.size(), low + ATTEMPTS_MAX); i++) {
            Map<Node, long[]> taken = attempt(trial, nodes, times.get(i));
            if (taken != null) {
                return new Plan(capacity(taken), times.get(i));
            }
        }
        return null;
    }

    private Collection<Instant> times(List<Node> nodes) {
        Collection<Instant> times = new TreeSet<>();
        times.add(now);
        for (Node node : nodes) {
            for (Task task : node.tasks()) {
                Instant end = task.isPreempting() ? ExpectedEnd.NEVER : ExpectedEnd.of(task, now);
                if (end.isBefore(ExpectedEnd.NEVER)) {
                    times.add(end);
                }
            }
        }
        return times;
    }

    /** Returns whether the nodes are expected to hold the members of each class, if there were no others. */
    private boolean mayFit(GangTrial trial, List<Node> nodes, Instant at) {
        Map<EquivalenceClass, Long> missing = new HashMap<>();
        trial.members().forEach(each -> missing.merge(each.equivalenceClass(), (long) each.count(), Long::sum));
        for (Node node : nodes) {
            long[] free = NodeForecast.freeAt(node, partition.types().size(), at, now);
            missing.replaceAll((equivalenceClass, count) ->
                    isEligible(node, equivalenceClass) ? count - times(equivalenceClass.demand, free) : count);
            missing.values().removeIf(count -> count <= 0);
            if (missing.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEligible(Node node, EquivalenceClass equivalenceClass) {
        boolean mayRun = equivalenceClass.requiredNode() == null
                || equivalenceClass.requiredNode().equals(node.name());
        return mayRun && equivalenceClass.mayRunOn(node);
    }

    /** Returns how many times this demand is free, at most a large number. */
    private static long times(long[] demand, long[] free) {
        long times = Integer.MAX_VALUE;
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > 0) {
                times = Math.min(times, Math.max(0, Vectors.at(free, type)) / demand[type]);
            }
        }
        return times;
    }

    /** Places the members one after the other; returns what they take on which nodes, or null if they do not fit. */
    private @Nullable Map<Node, long[]> attempt(GangTrial trial, List<Node> nodes, Instant at) {
        Map<Node, long[]> free = new HashMap<>();
        Map<Node, long[]> taken = new LinkedHashMap<>();
        List<Runnable> undo = new ArrayList<>();
        try {
            for (GangTrial.Members each : trial.members()) {
                EquivalenceClass equivalenceClass = each.equivalenceClass();
                boolean ruled = equivalenceClass.tasks.isActive();
                int next = 0;
                for (int left = each.count(); left > 0; left--) {
                    next = ruled ? 0 : next;
                    while (next < nodes.size() && !fits(nodes.get(next), equivalenceClass, free, at)) {
                        next++;
                    }
                    if (next == nodes.size()) {
                        return null;
                    }
                    Node node = nodes.get(next);
                    free.put(node, Vectors.sum(free.getOrDefault(node, Vectors.empty()), equivalenceClass.demand, -1));
                    taken.merge(node, equivalenceClass.demand, (a, b) -> Vectors.sum(a, b, 1));
                    counters.hold(equivalenceClass, true, node, 1);
                    undo.add(() -> counters.hold(equivalenceClass, true, node, -1));
                }
            }
        } finally {
            undo.forEach(Runnable::run);
        }
        return taken;
    }

    private boolean fits(Node node, EquivalenceClass equivalenceClass, Map<Node, long[]> free, Instant at) {
        if (!VictimSearch.mayRunOn(node, equivalenceClass)) {
            return false;
        }
        long[] amounts = free.computeIfAbsent(
                node, key -> NodeForecast.freeAt(key, partition.types().size(), at, now));
        return times(equivalenceClass.demand, amounts) > 0;
    }

    private List<ReservedCapacity> capacity(Map<Node, long[]> taken) {
        List<ReservedCapacity> capacity = new ArrayList<>();
        taken.forEach((node, amounts) -> capacity.add(
                new ReservedCapacity(node.name(), partition.types().resources(type -> Vectors.at(amounts, type)))));
        return capacity;
    }
}
