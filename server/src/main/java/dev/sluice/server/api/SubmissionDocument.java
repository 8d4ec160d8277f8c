package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;
import java.util.Map;

/**
 * An application as it is submitted. It tells what may be written; reading is left to the reader of job files, which knows the place of
 * everything.
 */
public record SubmissionDocument(
        @JsonPropertyDescription("Unique in the partition while it is remembered; one is made if it is left out.")
        @OptionalField
        String id,

        @JsonPropertyDescription("What submissions share that do the same work again and again; the id if left out.")
        @OptionalField
        String name,

        @JsonPropertyDescription("Such as root.sandbox; may be left to the placement rules.") @OptionalField
        String queue,

        @JsonPropertyDescription("Whose it is; the caller's if left out.") @OptionalField
        String user,

        @JsonPropertyDescription("The groups of the user.") @OptionalField
        List<String> groups,

        @JsonPropertyDescription("What placement rules and people may look at.") @OptionalField
        Map<String, String> tags,

        @JsonPropertyDescription("What work it is: those of a user with the same tag go with the same priority.")
        @OptionalField
        String tag,

        @JsonPropertyDescription("What it is built on: it replaces those of the same user and basis with another tag.")
        @OptionalField
        String basis,

        @JsonPropertyDescription("Whether nothing more will be added; false if left out.") @OptionalField
        Boolean sealed,

        @JsonPropertyDescription("What becomes of it when a task has failed for good: continue or stop.") @OptionalField
        String onfailure,

        @JsonPropertyDescription("Its tasks.") @OptionalField
        List<TaskDocument> tasks) {

    /** A task, or several that are alike. */
    public record TaskDocument(
            @JsonPropertyDescription("Unique in the application; of several the common part.")
            String id,

            @JsonPropertyDescription("How many: with t and 20 they are t-0 to t-19; left out: one, of this very id.")
            @OptionalField
            Integer count,

            @JsonPropertyDescription(
                    "What each takes, such as vcore: 500m, memory: 1Gi; one core if left out, nothing but a slot where no node has cores.")
            @OptionalField
            Map<String, Object> resources,

            @JsonPropertyDescription("A higher one goes first; 0 if left out.") @OptionalField
            Integer priority,

            @JsonPropertyDescription("Of equal priority, longer ones go first; such as 5m.") @OptionalField
            String expectedduration,

            @JsonPropertyDescription("Tasks with the same key count as alike when durations are learnt.") @OptionalField
            String durationkey,

            @JsonPropertyDescription("What a node's labels must say.") @OptionalField
            Map<String, String> labels,

            @JsonPropertyDescription("The only node it may run on.") @OptionalField
            String requirednode,

            @JsonPropertyDescription("The tasks it waits for: started or succeeded, by id.") @OptionalField
            Map<String, String> after,

            @JsonPropertyDescription("How often it runs again after it failed; 0 if left out.") @OptionalField
            Integer retries,

            @JsonPropertyDescription("How often it runs again after it was lost.") @OptionalField
            Integer lostretries,

            @JsonPropertyDescription("How long one run may take, such as 10m.") @OptionalField
            String timeout,

            @JsonPropertyDescription("What it does: a list of a program and its arguments, or a text for the shell.")
            @OptionalField
            Object command,

            @JsonPropertyDescription("Variables that are set for the command.") @OptionalField
            Map<String, String> env,

            @JsonPropertyDescription("Where the command runs.") @OptionalField
            String directory) {}
}
