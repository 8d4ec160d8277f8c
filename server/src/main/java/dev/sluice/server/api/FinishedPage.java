package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** Part of a list of applications that have ended. */
public record FinishedPage(
        @JsonPropertyDescription("Those of this page.") List<FinishedView> items,

        @JsonPropertyDescription("What to ask for as `before` for the next page; left out on the last one.")
        @OptionalField
        Long next) {}
