package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** Nodes to plan without. */
public record PlanDocument(
        @JsonPropertyDescription(
                "Names of nodes that would be gone, 1 to 10,000; their tasks would run again elsewhere.")
        List<String> without) {}
