package dev.sluice.core.explain;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The allocated tasks of a partition that exclude nodes for a pending task, counted by domain; other members of its
 * gang count like allocated tasks where they are held.
 */
final class TaskSurvey {

    private final TaskGroup group;
    private final Constraints constraints;
    private final TaskConstraints own;
    private final List<Required> others = new ArrayList<>();
    private final List<Required> apart;
    private final List<Required> beside;
    private final List<Spread> spread;

    /** The members of the gang that are held on each node. */
    private final Map<Node, List<TaskGroup>> held = new HashMap<>();

    /** A term and the domains in which a task matches it. */
    private static final class Required {
        private final TaskTerm term;
        private final Set<String> domains = new HashSet<>();
        private final Set<String> heldDomains = new HashSet<>();

        private Required(TaskTerm term) {
            this.term = term;
        }

        private boolean contains(Node node) {
            String domain = domain(term.topologyKey(), node);
            return domain != null && (domains.contains(domain) || heldDomains.contains(domain));
        }

        private void add(Node node, Set<String> to) {
            String domain = domain(term.topologyKey(), node);
            if (domain != null) {
                to.add(domain);
            }
        }
    }

    /** A spread constraint and the selected tasks in each domain with a ready node. */
    private static final class Spread {
        private static final int UNKNOWN = -1;

        private final TopologySpread constraint;
        private final Map<String, Integer> tasks = new HashMap<>();
        private final Map<String, Integer> heldTasks = new HashMap<>();
        private int least = UNKNOWN;

        private Spread(TopologySpread constraint) {
            this.constraint = constraint;
        }

        private int tasksIn(String domain) {
            return tasks.getOrDefault(domain, 0) + heldTasks.getOrDefault(domain, 0);
        }

        private int least() {
            if (tasks.size() < constraint.minDomains()) {
                return 0;
            }
            if (least == UNKNOWN) {
                least = tasks.keySet().stream().mapToInt(this::tasksIn).min().orElse(0);
            }
            return least;
        }
    }

    /**
     * Counts the tasks on these nodes.
     *
     * @param excluding the tasks that require to be apart from others
     */
    TaskSurvey(Collection<Node> nodes, List<Task> excluding, TaskGroup group) {
        this.group = group;
        this.constraints = group.kind().constraints();
        this.own = constraints.tasks();
        this.apart = own.antiAffinity().required().stream().map(Required::new).toList();
        this.beside = own.affinity().required().stream().map(Required::new).toList();
        this.spread = own.spread().stream()
                .filter(TopologySpread::required)
                .map(Spread::new)
                .toList();
        for (Task task : excluding) {
            for (TaskTerm term :
                    task.kind().constraints().tasks().antiAffinity().required()) {
                if (term.selector().matches(own.labels())) {
                    Required required = new Required(term);
                    required.add(task.node(), required.domains);
                    others.add(required);
                }
            }
        }
        if (!apart.isEmpty() || !beside.isEmpty() || !spread.isEmpty()) {
            spread.forEach(each -> addDomains(each, nodes));
            nodes.forEach(this::count);
        }
    }

    /** Returns the tasks on these nodes that require to be apart from others. */
    static List<Task> excluding(Collection<Node> nodes) {
        List<Task> excluding = new ArrayList<>();
        for (Node node : nodes) {
            for (Task task : node.tasks()) {
                if (!task.kind().constraints().tasks().antiAffinity().required().isEmpty()) {
                    excluding.add(task);
                }
            }
        }
        return excluding;
    }

    private static @Nullable String domain(String key, Node node) {
        return Topology.domain(key, node.name(), node.labels());
    }

    private void addDomains(Spread each, Collection<Node> nodes) {
        for (Node node : nodes) {
            String domain = countedDomain(each.constraint, node);
            if (domain != null && node.isReady()) {
                each.tasks.put(domain, 0);
            }
        }
    }

    /** Returns the domain of a node that counts for a spread constraint, or null. */
    private @Nullable String countedDomain(TopologySpread constraint, Node node) {
        Constraints eligible = (constraint.honorAffinity() ? constraints : constraints.withoutNodeSelection())
                .withTasks(TaskConstraints.NONE);
        boolean counts = spread.stream().allMatch(each -> domain(each.constraint.topologyKey(), node) != null)
                && eligible.permits(node.name(), node.labels(), constraint.honorTaints() ? node.taints() : List.of());
        return counts ? domain(constraint.topologyKey(), node) : null;
    }

    private void count(Node node) {
        for (Task task : node.isRemoved() ? List.<Task>of() : node.tasks()) {
            SortedMap<String, String> labels = task.kind().constraints().tasks().labels();
            apart.forEach(each -> add(each, labels, node, each.domains));
            beside.forEach(each -> add(each, labels, node, each.domains));
            for (Spread each : spread) {
                String domain =
                        each.constraint.selector().matches(labels) ? countedDomain(each.constraint, node) : null;
                if (domain != null) {
                    each.tasks.computeIfPresent(domain, (key, tasks) -> tasks + 1);
                }
            }
        }
    }

    private static void add(Required required, SortedMap<String, String> labels, Node node, Set<String> to) {
        if (required.term.selector().matches(labels)) {
            required.add(node, to);
        }
    }

    /** Holds a member of the same gang on a node. */
    void hold(TaskGroup member, Node node) {
        TaskConstraints its = member.kind().constraints().tasks();
        held.computeIfAbsent(node, on -> new ArrayList<>()).add(member);
        apart.forEach(each -> add(each, its.labels(), node, each.heldDomains));
        beside.forEach(each -> add(each, its.labels(), node, each.heldDomains));
        for (TaskTerm term : its.antiAffinity().required()) {
            if (term.selector().matches(own.labels())) {
                Required required = new Required(term);
                required.add(node, required.heldDomains);
                others.add(required);
            }
        }
        for (Spread each : spread) {
            String domain =
                    each.constraint.selector().matches(its.labels()) ? countedDomain(each.constraint, node) : null;
            if (domain != null && each.tasks.containsKey(domain)) {
                each.heldTasks.merge(domain, 1, Integer::sum);
                each.least = Spread.UNKNOWN;
            }
        }
    }

    /** Releases all members of the gang. */
    void releaseHeld() {
        held.clear();
        others.removeIf(each -> each.domains.isEmpty());
        Stream.concat(apart.stream(), beside.stream()).forEach(each -> each.heldDomains.clear());
        for (Spread each : spread) {
            each.heldTasks.clear();
            each.least = Spread.UNKNOWN;
        }
    }

    /** Returns the first reason why other tasks exclude a node that the task may run on, or null. */
    @Nullable NodeExclusion exclusion(Node node) {
        if (apart.stream().anyMatch(each -> each.contains(node))) {
            return new NodeExclusion(NodeExclusion.Kind.TASK_ANTI_AFFINITY, "");
        }
        if (others.stream().anyMatch(each -> each.contains(node))) {
            return new NodeExclusion(NodeExclusion.Kind.EXCLUDED, "");
        }
        if (!isFirst() && !beside.stream().allMatch(each -> each.contains(node))) {
            return new NodeExclusion(NodeExclusion.Kind.TASK_AFFINITY, "");
        }
        for (Spread each : spread) {
            if (exceeds(each, node)) {
                return new NodeExclusion(
                        NodeExclusion.Kind.SPREAD,
                        "maxSkew " + each.constraint.maxSkew() + " of " + each.constraint.topologyKey());
            }
        }
        HostPort port = portInUse(node);
        if (port != null) {
            return new NodeExclusion(NodeExclusion.Kind.PORT, port.toString());
        }
        return own.perNode() > 0 && ofGroupOn(node) >= own.perNode()
                ? new NodeExclusion(NodeExclusion.Kind.PER_NODE, String.valueOf(own.perNode()))
                : null;
    }

    private long ofGroupOn(Node node) {
        return node.tasks().stream().filter(task -> task.group() == group).count()
                + heldOn(node).stream().filter(member -> member == group).count();
    }

    private List<TaskGroup> heldOn(Node node) {
        return held.getOrDefault(node, List.of());
    }

    private boolean selectsItself(LabelSelector selector) {
        return selector.matches(own.labels());
    }

    /** Returns whether it starts a series of tasks that require each other. */
    private boolean isFirst() {
        return beside.stream()
                .allMatch(each ->
                        each.domains.isEmpty() && each.heldDomains.isEmpty() && selectsItself(each.term.selector()));
    }

    private boolean exceeds(Spread each, Node node) {
        String domain = countedDomain(each.constraint, node);
        int self = selectsItself(each.constraint.selector()) ? 1 : 0;
        return domain == null || (long) each.tasksIn(domain) + self - each.least() > each.constraint.maxSkew();
    }

    private @Nullable HostPort portInUse(Node node) {
        if (own.ports().isEmpty()) {
            return null;
        }
        Stream<TaskKind> kinds = Stream.concat(
                node.tasks().stream().map(Task::kind), heldOn(node).stream().map(TaskGroup::kind));
        List<HostPort> used = kinds.flatMap(kind -> kind.constraints().tasks().ports().stream())
                .toList();
        for (HostPort port : own.ports()) {
            if (used.stream().anyMatch(port::conflictsWith)) {
                return port;
            }
        }
        return null;
    }
}
