package dev.sluice.core.reference;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.TopologySpread;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What Kubernetes' documentation says about constraints on nodes, one sentence after the other. */
final class ReferenceConstraints {

    private ReferenceConstraints() {}

    /** Whether a task with these constraints may start on a node with this name, these labels and taints. */
    static boolean permit(Constraints constraints, String node, Map<String, String> labels, List<Taint> taints) {
        boolean selected =
                labels.entrySet().containsAll(constraints.nodeSelector().entrySet());
        List<NodeSelectorTerm> terms = constraints.nodeAffinity().required();
        boolean required = terms.isEmpty() || terms.stream().anyMatch(term -> matches(term, node, labels));
        boolean inTopologies = constraints.tasks().affinity().required().stream()
                        .allMatch(term -> ReferenceNeighbours.isIn(term.topologyKey(), labels))
                && constraints.tasks().spread().stream()
                        .filter(TopologySpread::required)
                        .allMatch(spread -> ReferenceNeighbours.isIn(spread.topologyKey(), labels));
        return selected
                && required
                && inTopologies
                && taints.stream()
                        .filter(taint -> taint.effect() != TaintEffect.PREFER_NO_SCHEDULE)
                        .allMatch(taint -> isTolerated(constraints, taint));
    }

    /** (fewest taints to avoid, largest sum of weights), the best first. */
    static List<Long> rank(Constraints constraints, String node, Map<String, String> labels, List<Taint> taints) {
        long avoided = taints.stream()
                .filter(taint -> taint.effect() == TaintEffect.PREFER_NO_SCHEDULE)
                .filter(taint -> !isTolerated(constraints, taint))
                .count();
        long weights = constraints.nodeAffinity().preferred().stream()
                .filter(each -> matches(each.preference(), node, labels))
                .mapToLong(NodePreference::weight)
                .sum();
        return List.of(avoided, -weights);
    }

    /** When a running task must leave a node with these taints. */
    static Optional<Instant> leavesAt(Constraints constraints, List<Taint> taints) {
        return taints.stream()
                .filter(taint -> taint.effect() == TaintEffect.NO_EXECUTE)
                .filter(taint -> !isTolerated(constraints, taint))
                .map(taint -> Objects.requireNonNull(taint.timeAdded())
                        .plus(matching(constraints, taint)
                                .map(toleration -> Objects.requireNonNull(toleration.limit()))
                                .max(Comparator.naturalOrder())
                                .orElse(Duration.ZERO)))
                .min(Comparator.naturalOrder());
    }

    private static boolean isTolerated(Constraints constraints, Taint taint) {
        return matching(constraints, taint).anyMatch(toleration -> toleration.limit() == null);
    }

    private static Stream<Toleration> matching(Constraints constraints, Taint taint) {
        return constraints.tolerations().stream()
                .filter(toleration -> toleration.key() == null || taint.key().equals(toleration.key()))
                .filter(toleration -> toleration.effect() == null || toleration.effect() == taint.effect())
                .filter(toleration -> toleration.operator() == Toleration.Operator.EXISTS
                        || toleration.value().equals(taint.value()));
    }

    private static boolean matches(NodeSelectorTerm term, String node, Map<String, String> labels) {
        return !term.isEmpty()
                && term.matchExpressions().stream()
                        .allMatch(each -> matches(each, Optional.ofNullable(labels.get(each.key()))))
                && term.matchFields().stream().allMatch(each -> matches(each, Optional.of(node)));
    }

    private static boolean matches(NodeSelectorRequirement requirement, Optional<String> label) {
        List<String> values = requirement.values();
        return switch (requirement.operator()) {
            case IN -> label.isPresent() && values.contains(label.get());
            case NOT_IN -> label.isEmpty() || !values.contains(label.get());
            case EXISTS -> label.isPresent();
            case DOES_NOT_EXIST -> label.isEmpty();
            case GT ->
                label.flatMap(ReferenceConstraints::integer).stream().anyMatch(it -> it.compareTo(than(values)) > 0);
            case LT ->
                label.flatMap(ReferenceConstraints::integer).stream().anyMatch(it -> it.compareTo(than(values)) < 0);
        };
    }

    private static BigInteger than(List<String> values) {
        return new BigInteger(values.get(0));
    }

    private static Optional<BigInteger> integer(String text) {
        return text.matches("[+-]?[0-9]+") ? Optional.of(new BigInteger(text)) : Optional.empty();
    }
}
