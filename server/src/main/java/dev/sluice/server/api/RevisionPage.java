package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A page of configuration revisions, newest first. */
public record RevisionPage(
        @JsonPropertyDescription("Items of this page.") List<RevisionView> items,

        @JsonPropertyDescription("Value of `before` for the next page; absent on the last page.") @OptionalField
        String next) {}
