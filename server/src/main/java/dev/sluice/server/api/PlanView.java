package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.Instant;
import java.util.List;

/** What the next scheduling cycle would do after a change, compared with the next cycle without it. */
public record PlanView(
        @JsonPropertyDescription("Time of the state that the plan begins with.")
        Instant at,

        @JsonPropertyDescription("All applications, with the change.")
        PlanCounts changed,

        @JsonPropertyDescription("All applications, without the change.")
        PlanCounts unchanged,

        @JsonPropertyDescription(
                "Applications with starting, preempted or waiting tasks, the first 200: those that the change makes a"
                        + " difference for first, in submission order.")
        List<PlannedApplicationView> applications,

        @JsonPropertyDescription("Number of such applications, listed or not.")
        long total,

        @JsonPropertyDescription("Number of applications that the change makes a difference for.")
        long affected) {}
