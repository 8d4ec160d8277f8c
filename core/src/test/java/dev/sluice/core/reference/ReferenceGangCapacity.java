package dev.sluice.core.reference;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.resource.ResourceTypes;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whether a gang could start if nothing else ran, as far as counting its members tells. */
final class ReferenceGangCapacity {

    private final ReferenceApplication application;
    private final Collection<ReferenceNode> nodes;
    private final List<String> levels;
    private final List<ReferenceTask> members;
    private final SortedMap<String, Long> demand = new TreeMap<>();

    ReferenceGangCapacity(ReferenceApplication application, Collection<ReferenceNode> nodes, List<String> levels) {
        this.application = application;
        this.nodes = nodes;
        this.levels = levels;
        this.members = application.allGangMembers();
        members.forEach(member -> ReferenceAmounts.add(demand, member.demand));
    }

    /** Whether the maxima of these queues permit the members, and the nodes, of one domain if that is required. */
    boolean suffices(List<ReferenceQueue> queues) {
        Gang.Topology topology = application.topology();
        if (!queues.stream().allMatch(queue -> queue.isLargeEnoughFor(demand))) {
            return false;
        }
        if (topology == null || !topology.require()) {
            return suffice(nodes);
        }
        List<String> labels = levels.subList(0, levels.indexOf(topology.key()) + 1);
        return !labels.isEmpty()
                && nodes.stream()
                        .filter(node -> node.domain(labels) != null)
                        .collect(Collectors.groupingBy(node -> Objects.requireNonNull(node.domain(labels))))
                        .values()
                        .stream()
                        .anyMatch(this::suffice);
    }

    private boolean suffice(Collection<ReferenceNode> among) {
        boolean enough = demand.entrySet().stream()
                .filter(each -> !each.getKey().equals(ResourceTypes.SLOTS))
                .allMatch(each -> each.getValue()
                        <= among.stream()
                                .mapToLong(node -> node.capacity(each.getKey()))
                                .sum());
        Map<Integer, List<ReferenceTask>> groups =
                members.stream().collect(Collectors.groupingBy(member -> member.groupIndex));
        return enough && groups.values().stream().allMatch(group -> suffice(among, group));
    }

    private static boolean suffice(Collection<ReferenceNode> among, List<ReferenceTask> group) {
        ReferenceTask member = group.get(0);
        TaskConstraints tasks = member.spec.constraints().tasks();
        long anywhere = among.stream().mapToLong(node -> most(node, group)).sum();
        return anywhere >= group.size()
                && tasks.antiAffinity().required().stream()
                        .filter(term -> term.selector().matches(tasks.labels()))
                        .allMatch(term -> apart(among, group, term) >= group.size());
    }

    /** At most one for each domain of the term, and those on nodes outside of them. */
    private static long apart(Collection<ReferenceNode> among, List<ReferenceTask> group, TaskTerm term) {
        Set<String> domains = new HashSet<>();
        long outside = 0;
        for (ReferenceNode node : among) {
            String domain = Topology.domain(term.topologyKey(), node.name, node.labels);
            long most = most(node, group);
            if (domain == null) {
                outside += most;
            } else if (most > 0) {
                domains.add(domain);
            }
        }
        return outside + domains.size();
    }

    /** The number of members that fit on an empty node, one after the other. */
    private static long most(ReferenceNode node, List<ReferenceTask> group) {
        TaskConstraints tasks = group.get(0).spec.constraints().tasks();
        SortedMap<String, Long> taken = new TreeMap<>();
        int count = 0;
        for (ReferenceTask member : group) {
            boolean more = node.mayRun(member)
                    && node.fitsBeside(taken, member.demand)
                    && (count == 0 || tasks.ports().isEmpty())
                    && (tasks.perNode() == 0 || count < tasks.perNode());
            if (more) {
                count++;
                ReferenceAmounts.add(taken, member.demand);
            }
        }
        return count;
    }
}
