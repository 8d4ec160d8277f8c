package dev.sluice.core.explain;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.Topology;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many members of a gang fit at once: within limits and maxima, and on nodes, beside each other. If all do
 * and must be in one domain, looks for a domain that holds them.
 */
final class GangSurvey {

    private final Partition partition;
    private final GangProgress gang;
    private final List<GangProgress.Members> members;
    private final List<TaskSurvey> surveys = new ArrayList<>();
    private final Map<Node, long[]> taken = new HashMap<>();
    private long[] demand = Vectors.empty();

    /** The nodes to try: all of them, then those of each domain. */
    private final List<List<Node>> places = new ArrayList<>();

    private int place;
    private int next; // the group that is being tried
    private int fittingOfNext;
    private int fitting;

    /** The nodes that may hold more members of the group, and the next one to try for the current member. */
    private Set<Node> candidates;

    private Iterator<Node> candidate;

    /** Creates the survey; {@code excluding} are the tasks that require to be apart from others. */
    GangSurvey(Partition partition, GangProgress gang, List<Node> nodes, List<Task> excluding) {
        this.partition = partition;
        this.gang = gang;
        this.members = gang.members();
        members.forEach(each -> surveys.add(new TaskSurvey(nodes, excluding, each.group())));
        places.add(nodes);
        Gang.Topology topology = gang.gang().topology();
        if (topology != null && topology.require()) {
            addDomains(topology.key(), nodes);
        }
        candidates = new LinkedHashSet<>(nodes);
        candidate = candidates.iterator();
    }

    private void addDomains(String key, List<Node> nodes) {
        List<String> levels = partition.configuration().topology();
        for (int level = levels.size(); level > levels.indexOf(key); level--) {
            Map<String, List<Node>> domains = new TreeMap<>();
            for (Node node : nodes) {
                String domain = Topology.domain(levels.subList(0, level), node.name(), node.labels());
                if (domain != null) {
                    domains.computeIfAbsent(domain, name -> new ArrayList<>()).add(node);
                }
            }
            places.addAll(domains.values());
        }
    }

    boolean isOf(GangProgress other) {
        return gang == other;
    }

    /** Tries further nodes; returns null if the budget is exhausted. */
    @Nullable WaitReason step(StepBudget budget) {
        int size = members.stream().mapToInt(GangProgress.Members::count).sum();
        Gang.Topology topology = gang.gang().topology();
        String key = topology != null && topology.require() ? topology.key() : null;
        while (place < places.size()) {
            if (!count(budget)) {
                return null;
            }
            if (place == 0 && fitting < size) {
                return new WaitReason.GangIncomplete(fitting, size, key);
            }
            if (fitting == size && (place > 0 || key == null)) {
                return new WaitReason.NextCycle();
            }
            place++;
            startAgain();
        }
        return new WaitReason.GangIncomplete(size, size, key);
    }

    private void startAgain() {
        taken.clear();
        demand = Vectors.empty();
        surveys.forEach(TaskSurvey::releaseHeld);
        next = 0;
        fitting = 0;
        startGroup();
    }

    private void startGroup() {
        fittingOfNext = 0;
        candidates = new LinkedHashSet<>(place < places.size() ? places.get(place) : List.of());
        candidate = candidates.iterator();
    }

    /** Counts the members that fit on the nodes of the current place; returns false if the budget is exhausted. */
    private boolean count(StepBudget budget) {
        for (; next < members.size(); next++) {
            TaskGroup group = members.get(next).group();
            TaskSurvey survey = surveys.get(next);
            int count = Math.min(members.get(next).count(), group.pending());
            while (fittingOfNext < count && candidate.hasNext() && isWithinLimits(group)) {
                if (!budget.take()) {
                    return false;
                }
                Node node = candidate.next();
                if (!mayHold(node, group)) {
                    candidate.remove();
                } else if (survey.exclusion(node) == null) {
                    hold(group, node);
                    candidate = candidates.iterator();
                }
            }
            fitting += fittingOfNext;
            startGroup();
        }
        return true;
    }

    private boolean isWithinLimits(TaskGroup group) {
        Application application = gang.application();
        long[] sum = Vectors.sum(demand, group.demand(), 1);
        return fitting + fittingOfNext < partition.throttleHeadroom()
                && application.limits().firstOverMax(sum) == null
                && application.queue().firstQueueOverMax(sum) == null;
    }

    private boolean mayHold(Node node, TaskGroup group) {
        String required = group.kind().requiredNode();
        return node.isReady()
                && (required == null || required.equals(node.name()))
                && NodeExclusion.of(group.kind().constraints(), node) == null
                && node.fits(Vectors.sum(taken.getOrDefault(node, Vectors.empty()), group.demand(), 1));
    }

    private void hold(TaskGroup group, Node node) {
        taken.put(node, Vectors.sum(taken.getOrDefault(node, Vectors.empty()), group.demand(), 1));
        demand = Vectors.sum(demand, group.demand(), 1);
        surveys.forEach(each -> each.hold(group, node));
        fittingOfNext++;
    }
}
