package dev.sluice.server.yunikorn;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** The health of the server. */
public record YuniKornHealth(
        @JsonProperty("Healthy") @JsonPropertyDescription("Whether all checks succeeded.")
        boolean healthy,

        @JsonProperty("HealthChecks") @JsonPropertyDescription("The checks.")
        List<Check> healthChecks) {

    /** A check of one part of the server. */
    public record Check(
            @JsonProperty("Name") @JsonPropertyDescription("Name of the part.")
            String name,

            @JsonProperty("Succeeded") @JsonPropertyDescription("Whether it works.")
            boolean succeeded,

            @JsonProperty("Description") @JsonPropertyDescription("What is checked.")
            String description,

            @JsonProperty("DiagnosisMessage") @JsonPropertyDescription("What was found.")
            String diagnosisMessage) {}
}
