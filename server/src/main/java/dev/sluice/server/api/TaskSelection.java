package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** Which tasks of an application to suspend or resume. */
public record TaskSelection(
        @JsonPropertyDescription("Task ids; all tasks if absent or empty.") @OptionalField
        List<String> tasks) {}
