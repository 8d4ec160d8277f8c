package dev.sluice.core.schedule;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a gang could ever start: whether the nodes of its partition, ready or not, could hold its members if nothing
 * else ran, and the maxima of its queues permit them.
 *
 * <p>Members are counted, not placed: the members of each group must fit without the others, and all together must not
 * need more than all nodes have. So a gang that could start is never found unable to, but some gangs of different tasks
 * that cannot start are not recognised.
 */
public final class GangCapacity {

    private static final String ANYWHERE = "";

    private final List<Node> nodes;
    private final List<Group> groups = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();
    private final List<String> levels;
    private final boolean within;
    private long[] demand = Vectors.empty();
    private int next;

    /**
     * The members of one group.
     *
     * @param apart a term because of which at most one of them may be in each domain, or null
     */
    private record Group(
            TaskGroup group, int count, @Nullable TaskTerm apart) {

        /** Returns how many of the members a node could hold, if it were empty. */
        long tasksOn(Node node) {
            String required = group.kind().requiredNode();
            boolean mayRun = (required == null || required.equals(node.name()))
                    && group.kind().constraints().permits(node.name(), node.labels(), node.taints());
            if (!mayRun) {
                return 0;
            }
            TaskConstraints tasks = group.kind().constraints().tasks();
            int perNode = tasks.perNode() > 0 ? tasks.perNode() : Gang.MEMBERS_MAX;
            return Math.min(tasks.ports().isEmpty() ? perNode : 1, node.tasksIfEmpty(group.demand()));
        }
    }

    /** What the nodes that may hold the gang could hold of each group. */
    private final class Place {
        private final long[] counts = new long[groups.size()];
        private final List<Set<String>> taken = new ArrayList<>();
        private long[] capacity = Vectors.empty();

        private Place() {
            groups.forEach(group -> taken.add(new HashSet<>()));
        }

        /** Adds a node; returns whether the nodes suffice. */
        private boolean add(Node node) {
            boolean suffice = true;
            capacity = Vectors.sum(capacity, node.capacityVector(), 1);
            for (int i = 0; i < counts.length; i++) {
                Group group = groups.get(i);
                long tasks = counts[i] < group.count ? group.tasksOn(node) : 0;
                String domain = group.apart == null || tasks == 0
                        ? null
                        : Topology.domain(group.apart.topologyKey(), node.name(), node.labels());
                counts[i] += domain == null ? tasks : taken.get(i).add(domain) ? 1 : 0;
                suffice &= counts[i] >= group.count;
            }
            for (int type = 0; suffice && type < demand.length; type++) {
                suffice = type == ResourceTypes.SLOTS_INDEX || demand[type] <= Vectors.at(capacity, type);
            }
            return suffice;
        }
    }

    /** Creates the answer for a gang that waits, and these nodes of the partition. */
    public GangCapacity(Partition partition, GangProgress gang, List<Node> nodes) {
        this.nodes = nodes;
        Gang.Topology topology = gang.gang().topology();
        List<String> all = partition.configuration().topology();
        this.within = topology != null && topology.require();
        this.levels = topology == null || !within ? List.of() : all.subList(0, all.indexOf(topology.key()) + 1);
        for (GangProgress.Members each : gang.members()) {
            TaskConstraints tasks = each.group().kind().constraints().tasks();
            groups.add(new Group(each.group(), each.count(), null));
            for (TaskTerm term : tasks.antiAffinity().required()) {
                if (term.selector().matches(tasks.labels())) {
                    groups.add(new Group(each.group(), each.count(), term));
                }
            }
            demand = Vectors.sum(demand, each.group().demand(), each.count());
        }
        if ((within && levels.isEmpty()) || gang.application().queue().firstQueueAboveMax(demand) != null) {
            next = nodes.size();
        }
    }

    /**
     * Returns whether the gang could ever start; null if the budget is exhausted, which is asked before each node: call
     * again.
     */
    public @Nullable Boolean step(BooleanSupplier budget) {
        for (; next < nodes.size(); next++) {
            if (!budget.getAsBoolean()) {
                return null;
            }
            Node node = nodes.get(next);
            String place = within ? Topology.domain(levels, node.name(), node.labels()) : ANYWHERE;
            if (place != null
                    && !node.isRemoved()
                    && places.computeIfAbsent(place, key -> new Place()).add(node)) {
                return true;
            }
        }
        return groups.isEmpty();
    }
}
