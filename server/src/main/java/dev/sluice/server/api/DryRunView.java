package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What the next scheduling cycle would do with the tasks of a submitted application. */
public record DryRunView(
        @JsonPropertyDescription("Number of tasks that would start.")
        long starting,

        @JsonPropertyDescription("Why the other tasks would wait.")
        List<WaitView> waiting) {}
