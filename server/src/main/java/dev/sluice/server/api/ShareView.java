package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the share policy of the queue above worked out for a queue when the last cycle began. */
public record ShareView(
        @JsonPropertyDescription("Its dominant share, where the queue above shares by fair.") @Nullable Double dominant,

        @JsonPropertyDescription("The load percentage of the class, where the queue above shares by load.") @Nullable Integer percent,

        @JsonPropertyDescription("How many workers the class is entitled to.") @Nullable Integer entitlement,

        @JsonPropertyDescription("How many it has on loan beyond that.") @Nullable Integer loaned,

        @JsonPropertyDescription("How many it was to start.") @Nullable Integer start,

        @JsonPropertyDescription("What it holds, in cores, where the queue above shares by usage.") @Nullable Double usage,

        @JsonPropertyDescription("Its decayed usage, in cores; a lower one goes first.") @Nullable Double usagePriority,

        @JsonPropertyDescription("That, times its factor.") @Nullable Double effectivePriority,

        @JsonPropertyDescription("The fraction of everything that it is due.") @Nullable Double fraction,

        @JsonPropertyDescription("How much of what was free it was due, in base units.") @Nullable Map<String, Long> slice) {}
