package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.Map;

/** What the runs of one group used in an interval. */
public record UsageView(
        @JsonPropertyDescription("Queue path, if grouped by queue.") @OptionalField
        String queue,

        @JsonPropertyDescription("User, if grouped by user.") @OptionalField
        String user,

        @JsonPropertyDescription("Name of the applications, if grouped by application.") @OptionalField
        String application,

        @JsonPropertyDescription("Node, if grouped by node.") @OptionalField
        String node,

        @JsonPropertyDescription("Tasks that ended in the interval and did not become pending again; those that run"
                + " again in a retry of their application count once more.")
        long tasks,

        @JsonPropertyDescription("Runs that ended in the interval; a retried task has several.")
        long runs,

        @JsonPropertyDescription("Runs that failed, timed out or were lost in the interval.")
        long failures,

        @JsonPropertyDescription("Runs that were allocated at the end of the interval.")
        long running,

        @JsonPropertyDescription("Hours that runs were allocated.")
        double runHours,

        @JsonPropertyDescription("Amount times hours by resource type: core-hours for vcore, byte-hours for memory,"
                + " unit-hours for other types.")
        Map<String, Double> resourceHours,

        @JsonPropertyDescription("Processor time in hours of the measured runs that ended in the interval; all of it,"
                + " even if they began before.")
        double cpuHours,

        @JsonPropertyDescription("That time as a part of all core-hours of the same runs, such as 0.7 for 70 %; absent"
                + " without such runs or cores.")
        @OptionalField
        Double cpuEfficiency,

        @JsonPropertyDescription("Waits of the tasks that were first allocated in the interval, without those that"
                + " depend on other tasks and those of applications submitted with hold, notbefore or after.")
        WaitSummary waits) {}
