package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.Map;

/** The health of the server. */
public record HealthView(
        @JsonPropertyDescription(
                "up, degraded (the disk is full, the machine cannot start tasks, or the API server of Kubernetes"
                        + " does not answer), stalled (the journal cannot be"
                        + " written, so nothing is acknowledged), down (failed fatally) or standby (another server uses"
                        + " the journal).")
        String status,

        @JsonPropertyDescription("Problem and remedy; empty if the server is healthy.")
        String detail,

        @JsonPropertyDescription(
                "Status of each component: journal, checkpoints, scheduler, memory, tasks; limits of tasks if this"
                        + " machine runs any; disk if it is full; folders if some could not be removed;"
                        + " notifications if there are any; Kubernetes if it provides the nodes.")
        Map<String, String> parts,

        @JsonPropertyDescription("Start time of the server.")
        Instant since,

        @JsonPropertyDescription("Sequence number of the last event committed to the journal.")
        long sequence) {}
