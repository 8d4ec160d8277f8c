package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.ProblemDetails;
import java.util.List;

/** The result of validating a configuration. */
public record ConfigurationCheckResult(
        @JsonPropertyDescription("Whether the configuration can be applied.")
        boolean valid,

        @JsonPropertyDescription("Warnings; they do not prevent the configuration from being applied.")
        List<ProblemDetails.Location> warnings,

        @JsonPropertyDescription("Changes it would make, one sentence each; empty if none.")
        List<String> changes,

        @JsonPropertyDescription(
                "Changes it would make, as a unified diff of the configurations as written by the server.")
        String diff) {}
