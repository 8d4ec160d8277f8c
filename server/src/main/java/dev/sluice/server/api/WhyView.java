package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** Why an application, or one of its tasks, does or does not run. */
public record WhyView(
        @JsonPropertyDescription("The application.") String application,

        @JsonPropertyDescription("The task, if it was asked for one.") @OptionalField
        String task,

        @JsonPropertyDescription("The state of the application or task.")
        String state,

        @JsonPropertyDescription("The answer in a sentence.")
        String summary,

        @JsonPropertyDescription("Why what waits does; empty if nothing waits.")
        List<WaitView> reasons) {}
