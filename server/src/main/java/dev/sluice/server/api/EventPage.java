package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A page of events from the journal. */
public record EventPage(
        @JsonPropertyDescription("Events in order.") List<EventView> items,

        @JsonPropertyDescription("Value of `after` for the following events; absent if there are none yet.")
        @OptionalField
        String next) {}
