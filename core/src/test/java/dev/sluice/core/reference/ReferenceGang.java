package dev.sluice.core.reference;

import dev.sluice.core.application.Gang;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The start of a gang: every member is checked like a single task beside the ones before, then all is undone. */
final class ReferenceGang {

    private final ReferenceQueue root;
    private final long throttle;
    private final List<ReferenceNode> nodes;
    private final List<String> levels;

    /** What a member took, or would take. */
    record Taken(ReferenceTask task, @Nullable ReferenceNode node) {}

    ReferenceGang(ReferenceQueue root, long throttle, List<ReferenceNode> nodes, List<String> levels) {
        this.nodes = nodes;
        this.levels = levels;
        this.root = root;
        this.throttle = throttle;
    }

    /** Finds the first node in order, among these, for a task. */
    interface FirstNode {
        @Nullable ReferenceNode find(ReferenceTask task, Predicate<ReferenceNode> among);
    }

    /** Returns the members if all fit, in order; otherwise skips the application of this leaf and returns null. */
    @Nullable List<Taken> start(
            ReferenceApplication application,
            ReferenceQueue leaf,
            Map<ReferenceQueue, Map<String, Long>> budgets,
            FirstNode firstNode,
            ReferenceReservations reservations) {
        List<ReferenceTask> members = application.gangMembers();
        if (members == null || fit(application, leaf, members, null, node -> true, true) == null) {
            return skip(application, leaf);
        }
        List<ReferenceQueue> fromRoot = new ArrayList<>(leaf.upToRoot());
        Collections.reverse(fromRoot);
        for (ReferenceQueue child : fromRoot) {
            ReferenceLoad load = child.parent == null ? null : child.parent.load;
            boolean within = load == null || load.permitsGang(child, members.size());
            if (!within || exceeds(members, budgets.getOrDefault(child, Map.of()))) {
                child.gangsOverBudget.add(new ReferenceQueue.SkippedGang(application, leaf));
                return skip(application, leaf);
            }
        }
        List<Taken> taken = place(application, leaf, members, firstNode, reservations);
        if (taken == null) {
            reservations.refused(leaf, application, members);
            return skip(application, leaf);
        }
        return taken;
    }

    /** Returns the labels of the topology from the widest to this one; none if it is not among them. */
    List<String> levelsTo(String key) {
        return levels.subList(0, levels.indexOf(key) + 1);
    }

    /** Whether quotas and limits permit all members, and the throttle if it counts. */
    boolean isPermitted(
            ReferenceApplication application, ReferenceQueue leaf, List<ReferenceTask> members, boolean throttled) {
        return ReferencePreemption.isPermitted(leaf, application, members.get(0))
                && fit(application, leaf, members, null, node -> true, throttled) != null;
    }

    /** Returns the members with their nodes if all fit, or null. */
    @Nullable List<Taken> place(
            ReferenceApplication application,
            ReferenceQueue leaf,
            List<ReferenceTask> members,
            FirstNode firstNode,
            ReferenceReservations reservations) {
        List<Taken> found = placeAnywhere(application, leaf, members, firstNode);
        return found != null
                ? found
                : fit(
                        application,
                        leaf,
                        members,
                        (member, among) -> reservations.ownNode(application, member),
                        node -> true,
                        true);
    }

    private @Nullable List<Taken> placeAnywhere(
            ReferenceApplication application, ReferenceQueue leaf, List<ReferenceTask> members, FirstNode firstNode) {
        Gang.Topology topology = application.topology();
        int widest = topology == null ? -1 : levels.indexOf(topology.key());
        for (int level = levels.size(); widest >= 0 && level > widest; level--) {
            List<String> labels = levels.subList(0, level);
            List<String> paths = nodes.stream()
                    .map(node -> node.domain(labels))
                    .filter(Objects::nonNull)
                    .map(path -> String.join("\0", path))
                    .distinct()
                    .sorted()
                    .toList();
            for (String path : paths) {
                List<Taken> taken = fit(
                        application,
                        leaf,
                        members,
                        firstNode,
                        node -> {
                            List<String> domain = node.domain(labels);
                            return domain != null && String.join("\0", domain).equals(path);
                        },
                        true);
                if (taken != null) {
                    return taken;
                }
            }
        }
        return topology != null && topology.require()
                ? null
                : fit(application, leaf, members, firstNode, node -> true, true);
    }

    private static @Nullable List<Taken> skip(ReferenceApplication application, ReferenceQueue leaf) {
        application.skip();
        leaf.skipped(application);
        return null;
    }

    /** Returns the members if all fit one after the other, or null; on nodes only if these are given. */
    private @Nullable List<Taken> fit(
            ReferenceApplication application,
            ReferenceQueue leaf,
            List<ReferenceTask> members,
            @Nullable FirstNode firstNode,
            Predicate<ReferenceNode> among,
            boolean throttled) {
        List<Taken> taken = new ArrayList<>();
        List<ReferenceAllocation> neighbours = new ArrayList<>();
        boolean fits = true;
        for (ReferenceTask member : members) {
            ReferenceNode node = firstNode == null ? null : firstNode.find(member, among);
            fits = (!throttled || root.allocatedTasks() + taken.size() < throttle)
                    && leaf.limitsPermit(application, member)
                    && leaf.upToRoot().stream().allMatch(queue -> queue.fits(member))
                    && (firstNode == null || node != null);
            if (!fits) {
                break;
            }
            application.take(member.demand, 1);
            if (node != null) {
                node.take(member.demand, 1);
                ReferenceAllocation neighbour = new ReferenceAllocation(member, application, node, false, 0);
                node.standing.add(neighbour);
                neighbours.add(neighbour);
            }
            taken.add(new Taken(member, node));
        }
        for (Taken each : taken) {
            application.take(each.task.demand, -1);
            if (each.node != null) {
                each.node.take(each.task.demand, -1);
            }
        }
        neighbours.forEach(neighbour -> neighbour.node.standing.remove(neighbour));
        return fits ? taken : null;
    }

    private static boolean exceeds(List<ReferenceTask> members, Map<String, Long> budget) {
        return budget.entrySet().stream()
                .anyMatch(most -> members.stream()
                                .mapToLong(member -> member.demand.getOrDefault(most.getKey(), 0L))
                                .sum()
                        > most.getValue());
    }
}
