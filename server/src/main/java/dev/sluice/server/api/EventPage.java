package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** Part of the journal. */
public record EventPage(
        @JsonPropertyDescription("What happened, in order.") List<EventView> items,

        @JsonPropertyDescription("What to ask for as `after` for what came then; left out if nothing has yet.")
        @OptionalField
        String next) {}
