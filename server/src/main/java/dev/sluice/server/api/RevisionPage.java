package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** Part of the list of configurations, the newest first. */
public record RevisionPage(
        @JsonPropertyDescription("Those of this page.") List<RevisionView> items,

        @JsonPropertyDescription("What to ask for as `before` for the next page; left out on the last one.")
        @OptionalField
        String next) {}
