package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A page of tasks. */
public record TaskPage(
        @JsonPropertyDescription("Items of this page.") List<TaskView> items,

        @JsonPropertyDescription("Value of `after` for the next page; absent on the last page.") @OptionalField
        String next) {}
