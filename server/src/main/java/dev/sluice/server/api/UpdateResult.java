package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.ProblemDetails;
import java.util.List;

/** The result of updating an application. */
public record UpdateResult(
        @JsonPropertyDescription("The updated application.") ApplicationView application,

        @JsonPropertyDescription("Warnings that did not prevent the update.") @OptionalField
        List<ProblemDetails.Location> warnings) {}
