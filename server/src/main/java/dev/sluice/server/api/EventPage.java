package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Part of the journal. */
public record EventPage(
        @JsonPropertyDescription("What happened, in order.") List<EventView> items,

        @JsonPropertyDescription("What to ask for as `after` for what came then; left out if nothing has yet.")
        @Nullable String next) {}
