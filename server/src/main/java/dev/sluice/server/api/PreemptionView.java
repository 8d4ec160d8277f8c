package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;

/** Why tasks that are below their guarantee, or may preempt by priority, have not preempted others. */
public record PreemptionView(
        @JsonPropertyDescription("off, disabled, delay, protected, fence, no-victims, in-vain or next-cycle.")
        String code,

        @JsonPropertyDescription("Path of the queue that prevents it; absent for other codes.") @OptionalField
        String queue,

        @JsonPropertyDescription("When the delay or the first protection ends; absent if unknown.") @OptionalField
        Instant until,

        @JsonPropertyDescription("Number of protected or preemptible tasks; absent for other codes.") @OptionalField
        Long tasks) {}
