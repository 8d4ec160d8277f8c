package dev.sluice.core.application;

import java.util.List;
import java.util.SortedMap;

/**
 * Conditions that a node must meet together; a term without conditions matches no node, as in Kubernetes.
 *
 * @param matchExpressions conditions on labels
 * @param matchFields conditions on the name, of one value each
 */
public record NodeSelectorTerm(
        List<NodeSelectorRequirement> matchExpressions, List<NodeSelectorRequirement> matchFields) {

    /** Copies the lists; throws {@link IllegalArgumentException} if a field is not the name or has several values. */
    public NodeSelectorTerm {
        matchExpressions = List.copyOf(matchExpressions);
        matchFields = List.copyOf(matchFields);
        for (NodeSelectorRequirement field : matchFields) {
            boolean ofName = field.key().equals(NodeSelectorRequirement.NAME_FIELD)
                    && field.values().size() == 1
                    && (field.operator() == NodeSelectorRequirement.Operator.IN
                            || field.operator() == NodeSelectorRequirement.Operator.NOT_IN);
            if (!ofName) {
                throw new IllegalArgumentException("a field must be " + NodeSelectorRequirement.NAME_FIELD
                        + " with the operator In or NotIn and one value: " + field);
            }
        }
    }

    /** Returns whether it has no conditions. */
    public boolean isEmpty() {
        return matchExpressions.isEmpty() && matchFields.isEmpty();
    }

    /** Returns whether a node with this name and these labels meets all conditions, of which there is at least one. */
    public boolean matches(String node, SortedMap<String, String> labels) {
        return !isEmpty()
                && matchExpressions.stream().allMatch(each -> each.matches(labels))
                && matchFields.stream().allMatch(each -> each.matches(node));
    }
}
