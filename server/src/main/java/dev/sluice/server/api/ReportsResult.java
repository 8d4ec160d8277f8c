package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What became of reports. */
public record ReportsResult(
        @JsonPropertyDescription("Number of reports accepted.")
        int taken,

        @JsonPropertyDescription("Why the others were refused; stale reports are harmless.")
        List<String> refused) {}
