package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A page of finished applications. */
public record FinishedPage(
        @JsonPropertyDescription("Items of this page.") List<FinishedView> items,

        @JsonPropertyDescription("Value of `before` for the next page; absent on the last page.") @OptionalField
        Long next) {}
