package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What became of reports. */
public record ReportsResult(
        @JsonPropertyDescription("How many were taken.") int taken,

        @JsonPropertyDescription("Why the others were not; a report about a run that is over is no harm.")
        List<String> refused) {}
