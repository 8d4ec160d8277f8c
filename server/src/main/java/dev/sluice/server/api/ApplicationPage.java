package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A page of applications. */
public record ApplicationPage(
        @JsonPropertyDescription("Items of this page.") List<ApplicationView> items,

        @JsonPropertyDescription("Value of `after` for the next page; absent on the last page.") @OptionalField
        String next) {}
