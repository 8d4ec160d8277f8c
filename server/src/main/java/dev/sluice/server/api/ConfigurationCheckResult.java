package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.Problem;
import java.util.List;

/** What is to be said of a configuration. */
public record ConfigurationCheckResult(
        @JsonPropertyDescription("Whether it could be applied.")
        boolean valid,

        @JsonPropertyDescription("What looks wrong but does not stand in the way.")
        List<Problem.Location> warnings,

        @JsonPropertyDescription("What would change, in sentences; empty if nothing would.")
        List<String> changes,

        @JsonPropertyDescription(
                "What would change, as a unified diff of the configurations as the server writes them.")
        String diff) {}
