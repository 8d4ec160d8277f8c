package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What a task runner tells. */
public record ReportsDocument(
        @JsonPropertyDescription("Reports in order.") List<ReportDocument> reports) {}
