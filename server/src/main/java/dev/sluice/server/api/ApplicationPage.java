package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** Part of a list of applications. */
public record ApplicationPage(
        @JsonPropertyDescription("Those of this page.") List<ApplicationView> items,

        @JsonPropertyDescription("What to ask for as `after` for the next page; left out on the last one.")
        @OptionalField
        String next) {}
