package dev.sluice.core.schedule;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.state.Node;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition on a node that many equivalence classes may share. It depends on the labels and taints of the node, and
 * on its name only if {@link #needsName} says so.
 */
sealed interface NodeCondition {

    boolean isMetBy(Node node);

    /** Returns whether two nodes with the same labels and taints may differ. */
    boolean needsName();

    /** A condition on one label. */
    record OnLabel(NodeSelectorRequirement requirement) implements NodeCondition {

        @Override
        public boolean isMetBy(Node node) {
            return requirement.matches(node.labels());
        }

        @Override
        public boolean needsName() {
            return false;
        }
    }

    /** Any of several terms. */
    record OnTerms(List<NodeSelectorTerm> terms) implements NodeCondition {

        @Override
        public boolean isMetBy(Node node) {
            return terms.stream().anyMatch(term -> term.matches(node.name(), node.labels()));
        }

        @Override
        public boolean needsName() {
            return terms.stream().anyMatch(term -> !term.matchFields().isEmpty());
        }
    }

    /** No taint that excludes tasks with these tolerations and no other constraints. */
    record OnTaints(Constraints tolerations) implements NodeCondition {

        @Override
        public boolean isMetBy(Node node) {
            return tolerations.untolerated(node.taints()) == null;
        }

        @Override
        public boolean needsName() {
            return false;
        }
    }

    /** Returns the conditions of eligible nodes; the first is that on taints. */
    static List<NodeCondition> of(Constraints constraints) {
        List<NodeCondition> conditions = new ArrayList<>();
        conditions.add(new OnTaints(Constraints.NONE.withTolerations(constraints.tolerations())));
        constraints
                .nodeSelector()
                .forEach((key, value) -> conditions.add(new OnLabel(NodeSelectorRequirement.label(key, value))));
        List<NodeSelectorTerm> terms = constraints.nodeAffinity().required();
        if (terms.size() == 1
                && terms.get(0).matchFields().isEmpty()
                && !terms.get(0).isEmpty()) {
            terms.get(0).matchExpressions().forEach(each -> conditions.add(new OnLabel(each)));
        } else if (!terms.isEmpty()) {
            conditions.add(new OnTerms(terms));
        }
        constraints
                .tasks()
                .topologyLabels()
                .forEach(key -> conditions.add(new OnLabel(
                        new NodeSelectorRequirement(key, NodeSelectorRequirement.Operator.EXISTS, List.of()))));
        return conditions;
    }
}
