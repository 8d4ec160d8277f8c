package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;

/** How evenly tasks are spread over the domains of a topology, in the form of Kubernetes. */
public record TopologySpreadView(
        @JsonPropertyDescription("By how many tasks a domain may exceed the one with the fewest.")
        int maxSkew,

        @JsonPropertyDescription("The key of the label that names the domain of a node.")
        String topologyKey,

        @JsonPropertyDescription("What happens otherwise: DoNotSchedule or ScheduleAnyway.")
        String whenUnsatisfiable,

        @JsonPropertyDescription("Which tasks count.") AffinityView.LabelSelectorView labelSelector,

        @JsonPropertyDescription("As long as there are fewer domains, the fewest tasks count as 0.") @OptionalField
        Integer minDomains,

        @JsonPropertyDescription("Whether only nodes count that the tasks select: Honor or Ignore.")
        String nodeAffinityPolicy,

        @JsonPropertyDescription("Whether nodes with taints that exclude the tasks do not count: Honor or Ignore.")
        String nodeTaintsPolicy) {}
