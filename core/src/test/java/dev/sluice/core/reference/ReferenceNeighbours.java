package dev.sluice.core.reference;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.TopologySpread;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What Kubernetes' documentation says about constraints with regard to other tasks, one sentence after the other. */
final class ReferenceNeighbours {

    private static final String HOST = "kubernetes.io/hostname";

    private final Collection<ReferenceNode> cluster;

    ReferenceNeighbours(Collection<ReferenceNode> cluster) {
        this.cluster = cluster;
    }

    private Stream<ReferenceAllocation> tasks() {
        return cluster.stream().flatMap(node -> node.standing.stream());
    }

    /** Whether a node is in a topology. */
    static boolean isIn(String key, Map<String, String> labels) {
        return key.equals(HOST) || labels.containsKey(key);
    }

    private static Optional<String> domain(String key, ReferenceNode node) {
        String label = node.labels.get(key);
        return label == null && key.equals(HOST) ? Optional.of(node.name) : Optional.ofNullable(label);
    }

    private static boolean sameDomain(String key, ReferenceNode a, ReferenceNode b) {
        return domain(key, a).isPresent() && domain(key, a).equals(domain(key, b));
    }

    private static boolean selects(LabelSelector selector, Map<String, String> labels) {
        return selector.matchExpressions().stream().allMatch(each -> {
            String value = labels.get(each.key());
            return switch (each.operator()) {
                case IN -> value != null && each.values().contains(value);
                case NOT_IN -> value == null || !each.values().contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                default -> throw new AssertionError(each.operator());
            };
        });
    }

    private static boolean selects(TaskTerm term, ReferenceAllocation task) {
        return selects(term.selector(), task.spec.constraints().tasks().labels());
    }

    private boolean isBeside(ReferenceNode node, TaskTerm term) {
        return tasks().anyMatch(task -> selects(term, task) && sameDomain(term.topologyKey(), node, task.node));
    }

    /** Whether a task may start on this node now. */
    boolean permit(ReferenceTask task, ReferenceNode node) {
        TaskConstraints own = task.spec.constraints().tasks();
        boolean excluded = tasks().anyMatch(other -> other.spec.constraints().tasks().antiAffinity().required().stream()
                .anyMatch(term ->
                        selects(term.selector(), own.labels()) && sameDomain(term.topologyKey(), node, other.node)));
        boolean apart = own.antiAffinity().required().stream().noneMatch(term -> isBeside(node, term));
        boolean portsFree = node.standing.stream()
                .flatMap(other -> other.spec.constraints().tasks().ports().stream())
                .noneMatch(used -> own.ports().stream().anyMatch(port -> conflict(port, used)));
        long ofSpecification = node.standing.stream()
                .filter(other -> other.application.id.equals(task.application)
                        && other.spec.name().equals(task.spec.name()))
                .count();
        return !excluded
                && apart
                && (own.affinity().required().stream().allMatch(term -> isBeside(node, term)) || isFirst(own, node))
                && own.spread().stream()
                        .filter(TopologySpread::required)
                        .allMatch(spread -> excess(task, node, spread) <= 0)
                && portsFree
                && (own.perNode() == 0 || ofSpecification < own.perNode());
    }

    /** Whether a task that is to be beside itself is the first of its kind. */
    private boolean isFirst(TaskConstraints own, ReferenceNode node) {
        List<TaskTerm> terms = own.affinity().required();
        return terms.stream().allMatch(term -> selects(term.selector(), own.labels()))
                && terms.stream()
                        .allMatch(term -> domain(term.topologyKey(), node).isPresent())
                && tasks().noneMatch(other -> terms.stream()
                        .anyMatch(term -> selects(term, other)
                                && domain(term.topologyKey(), other.node).isPresent()));
    }

    private static boolean conflict(HostPort a, HostPort b) {
        return a.port() == b.port()
                && a.protocol().equals(b.protocol())
                && (a.ip().equals(b.ip()) || List.of(a.ip(), b.ip()).contains("0.0.0.0"));
    }

    /** By how much a task on this node would exceed the maximum skew; outside of the topology by very much. */
    private long excess(ReferenceTask task, ReferenceNode node, TopologySpread spread) {
        TaskConstraints own = task.spec.constraints().tasks();
        List<ReferenceNode> counted = cluster.stream()
                .filter(other -> domain(spread.topologyKey(), other).isPresent())
                .filter(other -> !spread.required()
                        || own.spread().stream()
                                .filter(TopologySpread::required)
                                .allMatch(each ->
                                        domain(each.topologyKey(), other).isPresent()))
                .filter(other -> counts(task.spec.constraints(), spread, other))
                .toList();
        if (!counted.contains(node)) {
            return 1L << 32;
        }
        Map<String, Long> matching = counted.stream()
                .collect(Collectors.groupingBy(
                        other -> domain(spread.topologyKey(), other).orElseThrow(),
                        Collectors.summingLong(other -> other.standing.stream()
                                .filter(each -> selects(
                                        spread.selector(),
                                        each.spec.constraints().tasks().labels()))
                                .count())));
        List<String> domains = counted.stream()
                .filter(other -> other.ready)
                .map(other -> domain(spread.topologyKey(), other).orElseThrow())
                .distinct()
                .toList();
        long least = domains.size() < spread.minDomains()
                ? 0
                : domains.stream().mapToLong(matching::get).min().orElseThrow();
        long self = selects(spread.selector(), own.labels()) ? 1 : 0;
        return matching.getOrDefault(domain(spread.topologyKey(), node).orElseThrow(), 0L)
                + self
                - least
                - spread.maxSkew();
    }

    private static boolean counts(Constraints constraints, TopologySpread spread, ReferenceNode node) {
        Constraints selection = spread.honorAffinity()
                ? new Constraints(constraints.nodeSelector(), constraints.nodeAffinity(), constraints.tolerations())
                : Constraints.NONE.withTolerations(constraints.tolerations());
        return ReferenceConstraints.permit(
                selection, node.name, node.labels, spread.honorTaints() ? node.taints : List.of());
    }

    /** The sum of the weights of preferred terms. */
    long weights(ReferenceTask task, ReferenceNode node) {
        TaskConstraints own = task.spec.constraints().tasks();
        long towards = own.affinity().preferred().stream()
                .filter(each -> isBeside(node, each.term()))
                .mapToLong(each -> each.weight())
                .sum();
        long away = own.antiAffinity().preferred().stream()
                .filter(each -> isBeside(node, each.term()))
                .mapToLong(each -> each.weight())
                .sum();
        return towards - away;
    }

    /** The sum of what a task on this node would exceed preferred maxima of skew by. */
    long excess(ReferenceTask task, ReferenceNode node) {
        return task.spec.constraints().tasks().spread().stream()
                .filter(spread -> !spread.required())
                .mapToLong(spread -> Math.max(0, excess(task, node, spread)))
                .sum();
    }

    /** Whether a task must be beside this other one. */
    static boolean needs(ReferenceTask task, ReferenceAllocation other) {
        return task.spec.constraints().tasks().affinity().required().stream().anyMatch(term -> selects(term, other));
    }
}
