package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A reason why tasks of an application are waiting. */
public record WaitView(
        @JsonPropertyDescription("Number of tasks with this reason.")
        long tasks,

        @JsonPropertyDescription("Task ids or the common prefixes of task groups, the first 20.")
        List<String> names,

        @JsonPropertyDescription("Reason code, such as quota or no-node-fits.")
        String code,

        @JsonPropertyDescription("The reason in a sentence.")
        String detail,

        @JsonPropertyDescription("Whether only a change of nodes or configuration can let them start.")
        boolean never,

        @JsonPropertyDescription("The limit of a user or group that is reached; absent for other reasons.")
        @OptionalField
        ReachedLimitView limit,

        @JsonPropertyDescription("The gang that is incomplete; absent for other reasons.") @OptionalField
        IncompleteGangView gang,

        @JsonPropertyDescription("Why they have not preempted others; absent if they are not to.") @OptionalField
        PreemptionView preemption,

        @JsonPropertyDescription("The reservation for which they wait; absent for other reasons.") @OptionalField
        AwaitedReservationView reservation) {}
