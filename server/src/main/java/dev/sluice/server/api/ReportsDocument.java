package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** Reports of an agent. */
public record ReportsDocument(
        @JsonPropertyDescription("Reports in order.") List<ReportDocument> reports) {}
