package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** The result of sending reports. */
public record ReportsResult(
        @JsonPropertyDescription("Number of reports accepted.")
        int taken,

        @JsonPropertyDescription("Why the others were refused; stale reports are harmless.")
        List<String> refused) {}
