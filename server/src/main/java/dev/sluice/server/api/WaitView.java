package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** Why tasks of an application wait. */
public record WaitView(
        @JsonPropertyDescription("How many tasks it is about.")
        long tasks,

        @JsonPropertyDescription("What they are called: the ids of tasks, or what several have in common.")
        List<String> names,

        @JsonPropertyDescription("The kind of reason, such as quota or no-node-fits.")
        String code,

        @JsonPropertyDescription("The reason in a sentence.")
        String detail) {}
