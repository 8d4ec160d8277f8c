package dev.sluice.core.schedule;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes the tasks of an equivalence class may run on and prefer because of the tasks that are allocated now.
 *
 * <p>Other than conditions on nodes, the answer changes with each allocation, also for the better: a class that fitted
 * no node may fit one later in the same cycle, see {@link #hasEased}.
 */
final class TaskRules {

    /** The excess of nodes outside of the topology of a preferred spread: they come last. */
    private static final long OUTSIDE = 1L << 32;

    private final TaskConstraints constraints;
    private final TaskCounters counters;
    private final List<TaskCounter> beside = new ArrayList<>();
    private final List<TaskCounter> apart = new ArrayList<>();
    private final List<Spread> spread = new ArrayList<>();
    private final List<Preference> preferences = new ArrayList<>();
    private final List<Spread> preferredSpread = new ArrayList<>();
    private final @Nullable TaskCounter ofGroup;
    private final boolean requiresItself;
    private final boolean constrained;
    private final boolean dependsOnOrder; // whether the number of tasks that are permitted does

    /** What others exclude these tasks from, as far as known. */
    private final List<TaskCounter> excluding = new ArrayList<>();

    private int examined;
    private int generation = -1;
    private long easings;

    /**
     * A spread constraint.
     *
     * @param own 1 if the constraint counts the task itself, otherwise 0
     */
    private record Spread(TaskCounter counter, TopologySpread constraint, int own) {

        /** Returns by how much a node would exceed the maximum skew; 0 or less if it would not. */
        long excess(int node) {
            return counter.counts(node)
                    ? (long) counter.at(node) + own - counter.least(constraint.minDomains()) - constraint.maxSkew()
                    : OUTSIDE;
        }
    }

    /** A preference; the weight of one against tasks is negative. */
    private record Preference(TaskCounter counter, int weight) {}

    /** Creates the rules of the tasks of a class. */
    TaskRules(EquivalenceClass.Key key, TaskCounters counters) {
        Constraints all = key.constraints();
        TaskGroup group = key.group();
        this.constraints = all.tasks();
        this.counters = counters;
        for (TaskTerm term : this.constraints.affinity().required()) {
            beside.add(counter(term));
        }
        for (TaskTerm term : this.constraints.antiAffinity().required()) {
            apart.add(counter(term));
        }
        for (TaskPreference each : this.constraints.affinity().preferred()) {
            preferences.add(new Preference(counter(each.term()), each.weight()));
        }
        for (TaskPreference each : this.constraints.antiAffinity().preferred()) {
            preferences.add(new Preference(counter(each.term()), -each.weight()));
        }
        for (TopologySpread each : this.constraints.spread()) {
            (each.required() ? spread : preferredSpread).add(spread(all, each));
        }
        ofGroup = group == null ? null : counters.use(group);
        constrained = !this.constraints.isUnconstrained();
        long apartFromItself = this.constraints.antiAffinity().required().stream()
                .filter(term -> selectsItself(term.selector()))
                .count();
        dependsOnOrder = !beside.isEmpty() || !spread.isEmpty() || apartFromItself > 1;
        requiresItself =
                this.constraints.affinity().required().stream().allMatch(term -> selectsItself(term.selector()));
    }

    private boolean selectsItself(LabelSelector selector) {
        return selector.matches(constraints.labels());
    }

    private TaskCounter counter(TaskTerm term) {
        return counters.use(new TaskCounter.Selected(term.selector(), term.topologyKey(), TaskCounter.Nodes.ALL));
    }

    private Spread spread(Constraints all, TopologySpread each) {
        Constraints eligible = each.honorAffinity()
                ? new Constraints(
                        all.nodeSelector(), new NodeAffinity(all.nodeAffinity().required(), List.of()), List.of())
                : Constraints.NONE;
        List<String> keys = each.required()
                ? constraints.spread().stream()
                        .filter(TopologySpread::required)
                        .map(TopologySpread::topologyKey)
                        .filter(key -> !key.equals(Topology.HOST))
                        .distinct()
                        .sorted()
                        .toList()
                : List.of();
        TaskCounter.Nodes nodes = new TaskCounter.Nodes(
                keys, each.honorTaints() ? eligible.withTolerations(all.tolerations()) : eligible, each.honorTaints());
        return new Spread(
                counters.use(new TaskCounter.Selected(each.selector(), each.topologyKey(), nodes)),
                each,
                selectsItself(each.selector()) ? 1 : 0);
    }

    /** Called when the class is not used any more. */
    void release() {
        beside.forEach(counters::release);
        apart.forEach(counters::release);
        preferences.forEach(each -> counters.release(each.counter));
        spread.forEach(each -> counters.release(each.counter));
        preferredSpread.forEach(each -> counters.release(each.counter));
        if (ofGroup != null) {
            counters.release(ofGroup);
        }
    }

    /** Returns whether any node may be excluded or preferred because of other tasks. */
    boolean isActive() {
        if (generation != counters.generation()) {
            generation = counters.generation();
            examined = 0;
            excluding.clear();
        }
        List<TaskCounter> all = counters.excluding();
        for (; examined < all.size(); examined++) {
            if (isExcludedBy(all.get(examined).subject())) {
                excluding.add(all.get(examined));
            }
        }
        return constrained || !excluding.isEmpty();
    }

    private boolean isExcludedBy(TaskCounter.Subject subject) {
        if (subject instanceof TaskCounter.Apart others) {
            return selectsItself(others.term().selector());
        }
        if (subject instanceof TaskCounter.Port used && !constraints.ports().isEmpty()) {
            for (HostPort port : constraints.ports()) {
                if (port.conflictsWith(used.port())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether a task of the class may start on this node now. Only defined after {@link #isActive}. */
    boolean permits(Node node) {
        return permits(node.index());
    }

    /** Like {@link #permits(Node)}, for the node with this index. */
    boolean permits(int node) {
        if (ofGroup != null && ofGroup.at(node) >= constraints.perNode()) {
            return false;
        }
        for (int i = 0; i < excluding.size(); i++) {
            if (excluding.get(i).at(node) > 0) {
                return false;
            }
        }
        for (int i = 0; i < apart.size(); i++) {
            if (apart.get(i).at(node) > 0) {
                return false;
            }
        }
        for (int i = 0; i < beside.size(); i++) {
            if (beside.get(i).at(node) == 0 && !isFirst()) {
                return false;
            }
        }
        for (int i = 0; i < spread.size(); i++) {
            if (spread.get(i).excess(node) > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the task may start a series of tasks that require each other: it is the first of them. */
    private boolean isFirst() {
        if (!requiresItself) {
            return false;
        }
        for (int i = 0; i < beside.size(); i++) {
            if (beside.get(i).total() > 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether some nodes are preferred because of other tasks. */
    boolean hasPreferences() {
        return !preferences.isEmpty() || !preferredSpread.isEmpty();
    }

    /** Returns the sum of the weights of the preferences that the node with this index meets. */
    long weight(int node) {
        long sum = 0;
        for (int i = 0; i < preferences.size(); i++) {
            sum += preferences.get(i).counter.at(node) > 0 ? preferences.get(i).weight : 0;
        }
        return sum;
    }

    /** Returns a weight that no node exceeds now. */
    long weightMax() {
        long sum = 0;
        for (int i = 0; i < preferences.size(); i++) {
            Preference each = preferences.get(i);
            boolean met = each.weight > 0 ? each.counter.total() > 0 : each.counter.hasTasksEverywhere();
            sum += met ? each.weight : 0;
        }
        return sum;
    }

    /** Returns by how much the node with this index would exceed the preferred maxima of skew together. */
    long excess(int node) {
        long sum = 0;
        for (int i = 0; i < preferredSpread.size(); i++) {
            sum += Math.max(0, preferredSpread.get(i).excess(node));
        }
        return sum;
    }

    /** Called when no node fits the class: {@link #hasEased} is false until that may have changed. */
    void setRefused() {
        easings = easings();
    }

    /** Returns whether tasks were allocated or have ended since so that a node may be permitted that was not. */
    boolean hasEased() {
        return isActive() && easings != easings();
    }

    /**
     * Returns whether more tasks may be permitted on the same nodes than when {@link #easings} returned this number.
     * For those that must be beside others or be spread, or that are apart from each other in several topologies, the
     * number also depends on which nodes come first.
     */
    boolean mayPermitMore(long since) {
        return isActive() && (dependsOnOrder || since != easings());
    }

    /** Returns whether tasks of this class must be apart from those of another one. */
    boolean excludes(TaskRules other) {
        return constraints.antiAffinity().required().stream().anyMatch(term -> other.selectsItself(term.selector()));
    }

    /** Returns whether tasks of another class may permit nodes: those that these must be beside, or be spread with. */
    boolean mayBePermittedBy(TaskRules other) {
        return dependsOnOrder
                && (constraints.affinity().required().stream().anyMatch(term -> other.selectsItself(term.selector()))
                        || spread.stream().anyMatch(each -> other.selectsItself(each.constraint.selector())));
    }

    /** Returns a number that changes when a node may be permitted that was not; defined after {@link #isActive}. */
    long easings() {
        long sum = (long) generation << Integer.SIZE; // the sum of other counters may be the same by chance
        for (int i = 0; i < excluding.size(); i++) {
            sum += excluding.get(i).removals();
        }
        for (int i = 0; i < apart.size(); i++) {
            sum += apart.get(i).removals();
        }
        for (int i = 0; i < beside.size(); i++) {
            sum += beside.get(i).additions() + beside.get(i).removals();
        }
        for (int i = 0; i < spread.size(); i++) {
            sum += spread.get(i).counter.additions() + spread.get(i).counter.removals();
        }
        return ofGroup == null ? sum : sum + ofGroup.removals();
    }

    /** Returns whether these tasks must be beside a task with these labels, which must not be preempted for them. */
    boolean needs(TaskConstraints other) {
        return !beside.isEmpty() && constraints.requires(other.labels());
    }
}
