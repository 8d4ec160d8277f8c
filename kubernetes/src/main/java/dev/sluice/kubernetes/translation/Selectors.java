package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorRequirement.Operator;
import dev.sluice.core.application.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates selectors of nodes and pods. Tasks of pods carry their namespace as the label {@link #NAMESPACE}, so that
 * a selector can be limited to namespaces.
 */
final class Selectors {

    /** The label of each task that is its pod's namespace; it replaces a label of the pod with this key. */
    static final String NAMESPACE = "sluice.dev/namespace";

    private final Refusals refusals;

    Selectors(Refusals refusals) {
        this.refusals = refusals;
    }

    NodeSelectorTerm term(String where, io.fabric8.kubernetes.api.model.NodeSelectorTerm term) {
        List<NodeSelectorRequirement> fields = nodeRequirements(where + ".matchFields", term.getMatchFields());
        List<NodeSelectorRequirement> expressions =
                nodeRequirements(where + ".matchExpressions", term.getMatchExpressions());
        try {
            return new NodeSelectorTerm(expressions, fields);
        } catch (IllegalArgumentException e) {
            refusals.add(where, String.valueOf(e.getMessage()));
            return new NodeSelectorTerm(expressions, List.of());
        }
    }

    private List<NodeSelectorRequirement> nodeRequirements(
            String where, List<io.fabric8.kubernetes.api.model.NodeSelectorRequirement> requirements) {
        List<NodeSelectorRequirement> translated = new ArrayList<>();
        requirements.forEach(each -> add(translated, where, each.getKey(), each.getOperator(), each.getValues()));
        return translated;
    }

    /**
     * Returns a selector of pods in some namespaces. As in Kubernetes, one that is missing selects no pod, and one
     * without conditions all.
     *
     * @param namespaces the namespaces; empty for all
     * @param more further conditions
     */
    LabelSelector pods(
            String where,
            io.fabric8.kubernetes.api.model.@Nullable LabelSelector selector,
            List<String> namespaces,
            List<NodeSelectorRequirement> more) {
        List<NodeSelectorRequirement> conditions = new ArrayList<>();
        if (selector == null) {
            conditions.add(new NodeSelectorRequirement(NAMESPACE, Operator.DOES_NOT_EXIST, List.of()));
            return LabelSelector.of(Map.of(), conditions);
        }
        conditions.add(
                namespaces.isEmpty()
                        ? new NodeSelectorRequirement(NAMESPACE, Operator.EXISTS, List.of())
                        : new NodeSelectorRequirement(NAMESPACE, Operator.IN, namespaces));
        for (LabelSelectorRequirement each : selector.getMatchExpressions()) {
            add(conditions, where, each.getKey(), each.getOperator(), each.getValues());
        }
        conditions.addAll(more);
        return LabelSelector.of(selector.getMatchLabels(), conditions);
    }

    private void add(
            List<NodeSelectorRequirement> all, String where, String key, String operator, List<String> values) {
        for (Operator each : Operator.values()) {
            if (each.wireName().equals(operator)) {
                String problem = NodeSelectorRequirement.problem(each, values);
                if (problem == null) {
                    all.add(new NodeSelectorRequirement(key, each, values));
                } else {
                    refusals.add(where, key + ": " + problem);
                }
                return;
            }
        }
        refusals.add(where, key + ": operator " + operator + " is not supported");
    }
}
