package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorRequirement.Operator;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.TopologySpread;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where a pod may run with regard to other pods: pod affinity and anti-affinity, and topology spread. */
final class TaskTerms {

    private static final String HONOR = "Honor";

    private final String namespace;
    private final Map<String, String> labels;
    private final Selectors selectors;
    private final Refusals refusals;

    TaskTerms(String namespace, Map<String, String> labels, Selectors selectors, Refusals refusals) {
        this.namespace = namespace;
        this.labels = labels;
        this.selectors = selectors;
        this.refusals = refusals;
    }

    /** Returns the labels of a task and its constraints with regard to others; {@code where} contains them. */
    TaskConstraints of(String where, @Nullable Affinity affinity, List<TopologySpreadConstraint> spread) {
        TaskAffinity beside = affinity == null || affinity.getPodAffinity() == null
                ? TaskAffinity.NONE
                : affinity(
                        where + ".affinity.podAffinity",
                        affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution(),
                        affinity.getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution());
        TaskAffinity apart = affinity == null || affinity.getPodAntiAffinity() == null
                ? TaskAffinity.NONE
                : affinity(
                        where + ".affinity.podAntiAffinity",
                        affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution(),
                        affinity.getPodAntiAffinity().getPreferredDuringSchedulingIgnoredDuringExecution());
        List<TopologySpread> spreads = new ArrayList<>();
        spread.forEach(each -> spreads.add(spread(where + ".topologySpreadConstraints", each)));
        limit(where + ".topologySpreadConstraints", spreads.size());
        return new TaskConstraints(ownLabels(), beside, apart, spreads, List.of(), 0);
    }

    private SortedMap<String, String> ownLabels() {
        SortedMap<String, String> own = new TreeMap<>(labels);
        own.put(Selectors.NAMESPACE, namespace);
        return own;
    }

    private TaskAffinity affinity(
            String where, List<PodAffinityTerm> required, List<WeightedPodAffinityTerm> preferred) {
        List<TaskTerm> terms = new ArrayList<>();
        required.forEach(term -> terms.add(term(where, term)));
        List<TaskPreference> preferences = new ArrayList<>();
        preferred.forEach(
                each -> preferences.add(new TaskPreference(each.getWeight(), term(where, each.getPodAffinityTerm()))));
        limit(where, terms.size());
        limit(where, preferences.size());
        return new TaskAffinity(terms, preferences);
    }

    /** Without namespaces a term is about the pod's own; an empty selector of namespaces means all. */
    private TaskTerm term(String where, PodAffinityTerm term) {
        List<String> namespaces = term.getNamespaces();
        io.fabric8.kubernetes.api.model.LabelSelector selector = term.getNamespaceSelector();
        if (selector == null) {
            namespaces = namespaces.isEmpty() ? List.of(namespace) : namespaces;
        } else if (selector.getMatchLabels().isEmpty()
                && selector.getMatchExpressions().isEmpty()) {
            namespaces = List.of();
        } else {
            refusals.add(
                    where,
                    "a namespaceSelector with conditions is not supported: list namespaces, or select all with {}");
        }
        List<NodeSelectorRequirement> more = matching(term.getMatchLabelKeys(), Operator.IN);
        more.addAll(matching(term.getMismatchLabelKeys(), Operator.NOT_IN));
        return new TaskTerm(selectors.pods(where, term.getLabelSelector(), namespaces, more), term.getTopologyKey());
    }

    /** Conditions on the pod's own values; keys that it lacks are ignored, as in Kubernetes. */
    private List<NodeSelectorRequirement> matching(List<String> keys, Operator operator) {
        List<NodeSelectorRequirement> conditions = new ArrayList<>();
        for (String key : keys) {
            String value = labels.get(key);
            if (value != null) {
                conditions.add(new NodeSelectorRequirement(key, operator, List.of(value)));
            }
        }
        return conditions;
    }

    private TopologySpread spread(String where, TopologySpreadConstraint spread) {
        LabelSelector selector = selectors.pods(
                where,
                spread.getLabelSelector(),
                List.of(namespace),
                matching(spread.getMatchLabelKeys(), Operator.IN));
        Integer minDomains = spread.getMinDomains();
        return new TopologySpread(
                spread.getMaxSkew(),
                spread.getTopologyKey(),
                "DoNotSchedule".equals(spread.getWhenUnsatisfiable()),
                selector,
                minDomains == null ? 1 : minDomains,
                spread.getNodeAffinityPolicy() == null || HONOR.equals(spread.getNodeAffinityPolicy()),
                HONOR.equals(spread.getNodeTaintsPolicy()));
    }

    private void limit(String where, int size) {
        if (size > TaskConstraints.SIZE_MAX) {
            refusals.add(where, "has " + size + " entries: at most " + TaskConstraints.SIZE_MAX + " are allowed");
        }
    }
}
