package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** The nodes and tasks that tasks require, prefer and avoid, in the form of Kubernetes. */
public record AffinityView(
        @JsonPropertyDescription("Which nodes the tasks require and prefer.") @OptionalField
        NodeAffinityView nodeAffinity,

        @JsonPropertyDescription("Which tasks they must or should be beside.") @OptionalField
        PodAffinityView podAffinity,

        @JsonPropertyDescription("Which tasks they must or should be apart from.") @OptionalField
        PodAffinityView podAntiAffinity) {

    /** Tasks in the domain of a node. */
    public record PodAffinityView(
            @JsonPropertyDescription("What must hold.") @OptionalField
            List<PodAffinityTermView> requiredDuringSchedulingIgnoredDuringExecution,

            @JsonPropertyDescription("What is preferred.") @OptionalField
            List<WeightedTermView> preferredDuringSchedulingIgnoredDuringExecution) {}

    /** Tasks in a topology domain. */
    public record PodAffinityTermView(
            @JsonPropertyDescription("Which tasks.") LabelSelectorView labelSelector,

            @JsonPropertyDescription("The key of the label that names the domain of a node.")
            String topologyKey) {}

    /** A preference. */
    public record WeightedTermView(
            @JsonPropertyDescription("How much it counts, from 1 to 100.")
            int weight,

            @JsonPropertyDescription("Which tasks, in which domain.")
            PodAffinityTermView podAffinityTerm) {}

    /** Conditions on the labels of tasks, all of which must be met. */
    public record LabelSelectorView(
            @JsonPropertyDescription("The conditions; omitted: any task.") @OptionalField
            List<NodeSelectorRequirementView> matchExpressions) {}

    /** The nodes that tasks require and prefer. */
    public record NodeAffinityView(
            @JsonPropertyDescription("What a node must match.") @OptionalField
            NodeSelectorView requiredDuringSchedulingIgnoredDuringExecution,

            @JsonPropertyDescription("What nodes are preferred.") @OptionalField
            List<NodePreferenceView> preferredDuringSchedulingIgnoredDuringExecution) {}

    /** Terms of which a node must match one. */
    public record NodeSelectorView(
            @JsonPropertyDescription("The terms.") List<NodeSelectorTermView> nodeSelectorTerms) {}

    /** A preference for nodes. */
    public record NodePreferenceView(
            @JsonPropertyDescription("How much it counts, from 1 to 100.")
            int weight,

            @JsonPropertyDescription("What a node must match.")
            NodeSelectorTermView preference) {}

    /** Conditions that a node must meet together. */
    public record NodeSelectorTermView(
            @JsonPropertyDescription("Conditions on labels.") @OptionalField
            List<NodeSelectorRequirementView> matchExpressions,

            @JsonPropertyDescription("Conditions on the name.") @OptionalField
            List<NodeSelectorRequirementView> matchFields) {}

    /** A condition on a label or on the name of a node. */
    public record NodeSelectorRequirementView(
            @JsonPropertyDescription("The key of the label, or metadata.name.")
            String key,

            @JsonPropertyDescription("How it is compared: In, NotIn, Exists, DoesNotExist, Gt or Lt.")
            String operator,

            @JsonPropertyDescription("The values.") @OptionalField
            List<String> values) {}
}
