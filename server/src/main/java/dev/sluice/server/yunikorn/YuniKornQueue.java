package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/** A queue with the queues below it. */
public record YuniKornQueue(
        @JsonPropertyDescription("Queue path.") String queuename,
        @JsonPropertyDescription("Active or Draining.") String status,
        @JsonPropertyDescription("Partition name.") String partition,

        @JsonPropertyDescription("Amounts that pending tasks request.")
        Map<String, Long> pendingResource,

        @JsonPropertyDescription("Maximum amounts; of the root: the resources of the ready nodes.")
        Map<String, Long> maxResource,

        @JsonPropertyDescription("Guaranteed amounts.") Map<String, Long> guaranteedResource,
        @JsonPropertyDescription("Allocated amounts.") Map<String, Long> allocatedResource,

        @JsonPropertyDescription("Amounts that can be allocated before a maximum is reached.")
        Map<String, Long> headroom,

        @JsonPropertyDescription("Whether applications can be submitted to it.")
        boolean isLeaf,

        @JsonPropertyDescription("Whether it is in the configuration; placement rules create the others.")
        boolean isManaged,

        @JsonPropertyDescription("Properties in effect: the policy, and others that are not the default.")
        Map<String, String> properties,

        @JsonPropertyDescription("Path of its parent; empty for the root.")
        String parent,

        @JsonPropertyDescription("Template of queues that placement rules create below it.") @OptionalField
        Template template,

        @JsonPropertyDescription("Queues below it.") @OptionalField
        List<YuniKornQueue> children,

        @JsonPropertyDescription("Paths of the queues directly below it.")
        List<String> childrenNames,

        @JsonPropertyDescription("Allocated amounts in percent of the maximum ones.")
        Map<String, Long> absUsedCapacity,

        @JsonPropertyDescription("Maximum number of running applications; 0: unlimited.")
        long maxRunningApps,

        @JsonPropertyDescription("Number of running applications.")
        int runningApps,

        @JsonPropertyDescription("fifo, fair or stateaware; of a parent: its share policy.")
        String sortingPolicy,

        @JsonPropertyDescription("Whether priorities decide first.")
        boolean prioritySorting,

        @JsonPropertyDescription("Whether its tasks may preempt and be preempted.")
        boolean preemptionEnabled,

        @JsonPropertyDescription("Whether tasks below it preempt only below it.")
        boolean isPreemptionFence,

        @JsonPropertyDescription("Time that tasks wait before they preempt, such as 30s.")
        String preemptionDelay) {

    /** Returns the same queue with these queues below it. */
    YuniKornQueue withChildren(List<YuniKornQueue> newChildren) {
        return new YuniKornQueue(
                queuename,
                status,
                partition,
                pendingResource,
                maxResource,
                guaranteedResource,
                allocatedResource,
                headroom,
                isLeaf,
                isManaged,
                properties,
                parent,
                template,
                List.copyOf(newChildren),
                childrenNames,
                absUsedCapacity,
                maxRunningApps,
                runningApps,
                sortingPolicy,
                prioritySorting,
                preemptionEnabled,
                isPreemptionFence,
                preemptionDelay);
    }

    /** The initial settings of a queue that a placement rule creates. */
    public record Template(
            @JsonPropertyDescription("Maximum amounts.") Map<String, Long> maxResource,
            @JsonPropertyDescription("Guaranteed amounts.") Map<String, Long> guaranteedResource,

            @JsonPropertyDescription("Maximum number of running applications; 0: unlimited.")
            long maxApplications) {}
}
