package dev.sluice.core.application;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects tasks by their labels; one without conditions selects all tasks, those without labels included.
 *
 * @param matchExpressions conditions that the labels must meet together, with the operators {@code In}, {@code NotIn},
 *     {@code Exists} and {@code DoesNotExist}
 */
public record LabelSelector(List<NodeSelectorRequirement> matchExpressions) {

    /** Copies the list; throws {@link IllegalArgumentException} if an operator compares integers. */
    public LabelSelector {
        matchExpressions = List.copyOf(matchExpressions);
        for (NodeSelectorRequirement each : matchExpressions) {
            String problem = problem(each.operator());
            if (problem != null) {
                throw new IllegalArgumentException(problem);
            }
        }
    }

    /** Returns what is wrong with this operator, or null. */
    public static @Nullable String problem(NodeSelectorRequirement.Operator operator) {
        return operator == NodeSelectorRequirement.Operator.GT || operator == NodeSelectorRequirement.Operator.LT
                ? "a labelSelector compares with In, NotIn, Exists or DoesNotExist, not with " + operator.wireName()
                : null;
    }

    /** Selects tasks that have all these labels, in addition to the given conditions. */
    public static LabelSelector of(Map<String, String> matchLabels, List<NodeSelectorRequirement> matchExpressions) {
        List<NodeSelectorRequirement> all = new ArrayList<>();
        TextMap.copyOf(matchLabels).forEach((key, value) -> all.add(NodeSelectorRequirement.label(key, value)));
        all.addAll(matchExpressions);
        return new LabelSelector(all);
    }

    /** Returns whether it selects a task with these labels. */
    public boolean matches(SortedMap<String, String> labels) {
        for (int i = 0; i < matchExpressions.size(); i++) {
            if (!matchExpressions.get(i).matches(labels)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return matchExpressions.isEmpty()
                ? "any task"
                : matchExpressions.stream()
                        .map(NodeSelectorRequirement::toString)
                        .collect(Collectors.joining(", "));
    }
}
