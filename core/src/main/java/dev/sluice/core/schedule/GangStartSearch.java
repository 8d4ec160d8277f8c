package dev.sluice.core.schedule;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.Topology;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservedCapacity;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where and when the members of a gang are expected to fit together first, on nodes that are not reserved for others.
 *
 * <p>At each expected end of a run the members are placed one after the other, each on the first node in node order
 * that is expected to have enough free then. A required topology domain counts, a preferred one does not, and neither
 * do preferences for nodes.
 *
 * <p>For speed, gangs that do not fit at any time, in whatever order the nodes are, are remembered until a node gets
 * more capacity than it had; those that do not fit beside the reservations of others, until any node changes. Gangs
 * with equal members share what is remembered.
 */
final class GangStartSearch {

    private static final int REMEMBERED_MAX = 1_000;

    private final Partition partition;
    private final NodeCapacityIndex capacityIndex;
    private final TaskCounters counters;
    private final StartSearch starts;
    private final NodeForecasts forecasts;
    private final Set<Application> vain = new HashSet<>();
    private final Set<Members> vainMembers = new HashSet<>();

    /** The members for which there is no plan as long as neither nodes nor reservations change. */
    private final Set<Members> unplanned = new HashSet<>();

    /** The least that was free in the end on each node, by its index, whenever a gang was remembered. */
    private long[] @Nullable [] freeOnce = {};

    private final Set<Node> changed = new LinkedHashSet<>();
    private boolean freeOnceKnown;
    private Instant now = Instant.MIN;

    /** On which nodes and when the members can start first. */
    record Plan(List<ReservedCapacity> capacity, Instant start) {}

    /** What decides about the plan of a gang without constraints between tasks. */
    private record Members(List<EquivalenceClass> classes, List<Integer> counts, Gang.@Nullable Topology topology) {
        private static Members of(GangTrial trial) {
            return new Members(
                    trial.members().stream()
                            .map(GangTrial.Members::equivalenceClass)
                            .toList(),
                    trial.members().stream().map(GangTrial.Members::count).toList(),
                    trial.topology());
        }
    }

    GangStartSearch(Partition partition, NodeCapacityIndex capacityIndex, TaskCounters counters, StartSearch starts) {
        this.partition = partition;
        this.capacityIndex = capacityIndex;
        this.counters = counters;
        this.starts = starts;
        this.forecasts = new NodeForecasts(partition);
    }

    /** Begins a cycle at this time. */
    void begin(Instant at) {
        now = at;
        forecasts.begin(at);
        unplanned.clear();
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void allChanged() {
        forecasts.forgetAll();
        forgetVain();
    }

    private void forgetVain() {
        vain.clear();
        vainMembers.clear();
        unplanned.clear();
        freeOnce = new long[0] @Nullable [];
        freeOnceKnown = false;
        changed.clear();
    }

    /** Called when the tasks on these nodes, or reservations of them, have changed. */
    void nodesChanged(List<Node> nodes) {
        if (!nodes.isEmpty()) {
            forecasts.forget(nodes);
            unplanned.clear();
            freeOnceKnown = false;
        }
        if (!vainMembers.isEmpty()) {
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
            forgetVainIfGrown();
        }
        return vain.contains(application);
    }

    private boolean isVain(Application application, Members members) {
        if (isVain(application)) {
            return true;
        }
        if (vainMembers.contains(members)) {
            forgetVainIfGrown();
        }
        if (vainMembers.contains(members)) {
            vain.add(application);
        }
        return vain.contains(application);
    }

    private void forgetVainIfGrown() {
        for (Node node : changed) {
            long[] former = node.index() < freeOnce.length ? freeOnce[node.index()] : null;
            if (exceeds(starts.freeInTheEnd(node), former)) {
                forgetVain();
                break;
            }
        }
        changed.clear();
    }

    /**
     * Returns whether there is a plan for a gang, which takes less time than to find it.
     *
     * @param own the reservation that it would replace, or null
     */
    boolean isExpected(GangTrial trial, @Nullable Reservation own) {
        return !isKnownNotToFit(trial, own)
                && fitsInTheEnd(trial)
                && (fitsInAnyOrder(trial, own) || first(trial, own) != null);
    }

    private boolean isKnownNotToFit(GangTrial trial, @Nullable Reservation own) {
        if (own != null || isRuled(trial)) {
            return false;
        }
        Members members = Members.of(trial);
        return isVain(trial.application.application, members) || unplanned.contains(members);
    }

    /**
     * Returns whether all nodes together hold the members of each class, without those of others, when all runs with a
     * known end have ended. If not, there is no plan, and that is remembered.
     */
    private boolean fitsInTheEnd(GangTrial trial) {
        for (GangTrial.Members each : trial.members()) {
            if (!fitInTheEnd(each.equivalenceClass(), trial.countOf(each.equivalenceClass()))) {
                if (!isRuled(trial)) {
                    remember(trial.application.application, Members.of(trial));
                }
                return false;
            }
        }
        return true;
    }

    private boolean fitInTheEnd(EquivalenceClass equivalenceClass, int count) {
        long[] fitting = {0};
        Node enough = starts.anyInTheEnd(equivalenceClass.demand, node -> {
            fitting[0] += GangStartSweep.isEligible(node, equivalenceClass)
                    ? ExpectedCapacity.tasks(equivalenceClass.demand, starts.freeInTheEnd(node))
                    : 0;
            return fitting[0] >= count;
        });
        return enough != null;
    }

    /**
     * Returns whether, when all runs have ended, each class of members fits as many nodes as there are members. Then
     * they fit in whatever order they are placed, because no member takes more than one node from the others.
     */
    private boolean fitsInAnyOrder(GangTrial trial, @Nullable Reservation own) {
        if (isRuled(trial)) {
            return false;
        }
        List<EquivalenceClass> classes = trial.members().stream()
                .map(GangTrial.Members::equivalenceClass)
                .distinct()
                .toList();
        Map<String, int[]> counts = new HashMap<>();
        for (Node node : partition.nodes()) {
            String domain = isFree(node, own) ? domain(trial, node) : null;
            int[] nodes = domain == null ? null : counts.computeIfAbsent(domain, key -> new int[classes.size()]);
            boolean enough = nodes != null;
            for (int i = 0; nodes != null && i < nodes.length; i++) {
                EquivalenceClass equivalenceClass = classes.get(i);
                long[] free = forecasts.of(node).freeInTheEnd();
                boolean fits = ExpectedCapacity.tasks(equivalenceClass.demand, free) > 0
                        && GangStartSweep.isEligible(node, equivalenceClass);
                nodes[i] += fits ? 1 : 0;
                enough &= nodes[i] >= trial.size();
            }
            if (enough) {
                return true;
            }
        }
        return false;
    }

    private static boolean isRuled(GangTrial trial) {
        return trial.members().stream()
                .anyMatch(each -> each.equivalenceClass().tasks.isActive());
    }

    private boolean isFree(Node node, @Nullable Reservation own) {
        return node.isReady() && !node.isRemoved() && starts.isFreeOfOthers(node, own);
    }

    /** Returns the domain of a node in the required topology of a gang, "" if none is required; null if it has none. */
    private @Nullable String domain(GangTrial trial, Node node) {
        Gang.Topology topology = trial.topology();
        if (topology == null || !topology.require()) {
            return "";
        }
        List<String> levels = capacityIndex.levels();
        int level = levels.indexOf(topology.key());
        return level < 0 ? null : Topology.domain(levels.subList(0, level + 1), node.name(), node.labels());
    }

    /**
     * Returns where and when a gang is expected to start first, or null if never.
     *
     * @param own the reservation that it would replace, or null
     */
    @Nullable Plan first(GangTrial trial, @Nullable Reservation own) {
        Application application = trial.application.application;
        if (isKnownNotToFit(trial, own) || !fitsInTheEnd(trial)) {
            return null;
        }
        List<Node> ready = new ArrayList<>(partition.nodes());
        ready.removeIf(node -> !node.isReady() || node.isRemoved());
        List<Node> free =
                ready.stream().filter(node -> starts.isFreeOfOthers(node, own)).toList();
        Plan plan = plan(trial, free, capacityIndex::compare);
        if (plan == null && own == null && !isRuled(trial)) {
            Members members = Members.of(trial);
            if (mayEverFit(trial, ready, free)) {
                forgetIfTooMany();
                unplanned.add(members);
            } else {
                remember(application, members);
            }
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
        return (!alike || free.size() < ready.size())
                && sweep(trial, ready, capacityIndex::compare).mayEverFit();
    }

    /** Returns when a gang is expected to start first on the nodes of its reservation, or null if never. */
    @Nullable Plan again(GangTrial trial, Reservation own) {
        List<Node> nodes = nodes(own);
        nodes.removeIf(node -> !node.isReady() || node.isRemoved());
        return plan(trial, nodes, null);
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

    private void remember(Application application, Members members) {
        forgetIfTooMany();
        if (!freeOnceKnown) {
            boolean first = vainMembers.isEmpty();
            freeOnce = Arrays.copyOf(freeOnce, partition.nodeIndexBound());
            for (Node node : partition.nodes()) {
                long[] free = starts.freeInTheEnd(node);
                long[] former = freeOnce[node.index()];
                freeOnce[node.index()] = first || former == null ? free : smaller(free, former);
            }
            freeOnceKnown = true;
        }
        vainMembers.add(members);
        vain.add(application);
    }

    private void forgetIfTooMany() {
        if (vainMembers.size() + unplanned.size() > REMEMBERED_MAX) {
            forgetVain();
        }
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

    private @Nullable Plan plan(GangTrial trial, Collection<Node> nodes, @Nullable Comparator<Node> order) {
        GangStartSweep.Found found = sweep(trial, nodes, order).first(now);
        return found == null ? null : new Plan(capacity(found.taken()), found.start());
    }

    /** @param order compares nodes by their order; null for that of the nodes */
    private GangStartSweep sweep(GangTrial trial, Collection<Node> nodes, @Nullable Comparator<Node> order) {
        GangStartSweep sweep = new GangStartSweep(trial, counters, order);
        for (Node node : nodes) {
            String domain = domain(trial, node);
            if (domain != null) {
                sweep.add(node, domain, forecasts.of(node));
            }
        }
        return sweep;
    }

    private List<ReservedCapacity> capacity(Map<Node, long[]> taken) {
        List<ReservedCapacity> capacity = new ArrayList<>();
        taken.forEach((node, amounts) -> capacity.add(
                new ReservedCapacity(node.name(), partition.types().resources(type -> Vectors.at(amounts, type)))));
        return capacity;
    }
}
