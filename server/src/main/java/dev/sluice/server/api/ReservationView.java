package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;

/** What a reserved task waits for. */
public record ReservationView(
        @JsonPropertyDescription("Node on which it is reserved.")
        String node,

        @JsonPropertyDescription("When it was reserved.") Instant since,

        @JsonPropertyDescription("Preempted tasks on the node that have not ended, as application/task.")
        List<String> victims) {}
