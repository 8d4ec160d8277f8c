package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A node and its allocated resources. */
public record NodeView(
        @JsonPropertyDescription("Node name.") String name,

        @JsonPropertyDescription("State: ready, suspended, lost, flaky or offline.")
        String state,

        @JsonPropertyDescription("Observed health, independent of offline: ready, suspended, lost or flaky.")
        String health,

        @JsonPropertyDescription("Whether an operator took the node offline.")
        boolean offline,

        @JsonPropertyDescription("Time of the last health change.")
        Instant healthSince,

        @JsonPropertyDescription("Capacity, in base units.") Map<String, Long> capacity,

        @JsonPropertyDescription("Allocated resources, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("Node labels.") Map<String, String> labels,

        @JsonPropertyDescription("Taints, which keep away tasks that do not tolerate them.")
        List<TaintDocument> taints,

        @JsonPropertyDescription("Number of tasks bound to the node.")
        int tasks,

        @JsonPropertyDescription("Whether this server runs the node's tasks.")
        boolean local,

        @JsonPropertyDescription("What runs the node's tasks: server, agent, or another system such as Kubernetes.")
        @OptionalField
        String runBy) {

    /** The value of {@code runBy} for nodes whose tasks this server runs. */
    public static final String SERVER = "server";

    /** The value of {@code runBy} for nodes whose tasks an agent runs. */
    public static final String AGENT = "agent";
}
