package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A page of the audit log. */
public record AuditPage(
        @JsonPropertyDescription("Items of this page.") List<AuditView> items,

        @JsonPropertyDescription("Value of `before` for the next page; absent on the last page.") @OptionalField
        Long next) {}
