package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Part of a list of applications that have ended. */
public record FinishedPage(
        @JsonPropertyDescription("Those of this page.") List<FinishedView> items,

        @JsonPropertyDescription("What to ask for as `before` for the next page; left out on the last one.") @Nullable Long next) {}
