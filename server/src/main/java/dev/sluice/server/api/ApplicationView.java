package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An application and how it stands. */
public record ApplicationView(
        @JsonPropertyDescription("Its id, unique in its partition while it is remembered.")
        String id,

        @JsonPropertyDescription("Its partition.") String partition,

        @JsonPropertyDescription("What applications share that do the same work again and again.")
        String name,

        @JsonPropertyDescription("The queue it is in; left out if none took it.") @OptionalField
        String queue,

        @JsonPropertyDescription("Whose it is.") String user,
        @JsonPropertyDescription("The groups of the user.") List<String> groups,

        @JsonPropertyDescription("What placement rules and people may look at.")
        Map<String, String> tags,

        @JsonPropertyDescription("What work it is, if that was said.") @OptionalField
        String tag,

        @JsonPropertyDescription("What it is built on, if that was said.") @OptionalField
        String basis,

        @JsonPropertyDescription("Where it is in its life, such as Running.")
        String state,

        @JsonPropertyDescription("Since when.") Instant stateSince,

        @JsonPropertyDescription("Why it came into this state, if that is not plain.") @OptionalField
        String reason,

        @JsonPropertyDescription("When it was submitted.") Instant submitted,

        @JsonPropertyDescription("Whether nothing more will be added.")
        boolean sealed,

        @JsonPropertyDescription("What becomes of it when a task has failed for good.")
        String onFailure,

        @JsonPropertyDescription("What its tasks hold, in base units.")
        Map<String, Long> allocated,

        @JsonPropertyDescription("How its tasks stand.") TaskCounts tasks,

        @JsonPropertyDescription(
                "Its tasks by what was submitted, the first 1,000; only where one application is asked for.")
        @OptionalField
        List<TaskGroupView> groupsOfTasks) {

    /** The same with these tasks. */
    public ApplicationView withGroupsOfTasks(List<TaskGroupView> newGroups) {
        return new ApplicationView(
                id,
                partition,
                name,
                queue,
                user,
                groups,
                tags,
                tag,
                basis,
                state,
                stateSince,
                reason,
                submitted,
                sealed,
                onFailure,
                allocated,
                tasks,
                newGroups);
    }
}
