package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An application as it is submitted. It tells what may be written; reading is left to the reader of job files, which knows the place of
 * everything.
 */
public record SubmissionDocument(
        @JsonPropertyDescription("Unique in the partition while it is remembered; one is made if it is left out.")
        @Nullable String id,

        @JsonPropertyDescription("What submissions share that do the same work again and again; the id if left out.")
        @Nullable String name,

        @JsonPropertyDescription("Such as root.sandbox; may be left to the placement rules.") @Nullable String queue,

        @JsonPropertyDescription("Whose it is; the caller's if left out.") @Nullable String user,

        @JsonPropertyDescription("The groups of the user.") @Nullable List<String> groups,

        @JsonPropertyDescription("What placement rules and people may look at.") @Nullable Map<String, String> tags,

        @JsonPropertyDescription("What work it is: those of a user with the same tag go with the same priority.")
        @Nullable String tag,

        @JsonPropertyDescription("What it is built on: it replaces those of the same user and basis with another tag.")
        @Nullable String basis,

        @JsonPropertyDescription("Whether nothing more will be added; false if left out.") @Nullable Boolean sealed,

        @JsonPropertyDescription("What becomes of it when a task has failed for good: continue or stop.") @Nullable String onfailure,

        @JsonPropertyDescription("Its tasks.") @Nullable List<TaskDocument> tasks) {

    /** A task, or several that are alike. */
    public record TaskDocument(
            @JsonPropertyDescription("Unique in the application; of several the common part.")
            String id,

            @JsonPropertyDescription("How many: with t and 20 they are t-0 to t-19; left out: one, of this very id.")
            @Nullable Integer count,

            @JsonPropertyDescription("What each takes, such as vcore: 500m, memory: 1Gi.") @Nullable Map<String, Object> resources,

            @JsonPropertyDescription("A higher one goes first; 0 if left out.") @Nullable Integer priority,

            @JsonPropertyDescription("Of equal priority, longer ones go first; such as 5m.") @Nullable String expectedduration,

            @JsonPropertyDescription("Tasks with the same key count as alike when durations are learnt.") @Nullable String durationkey,

            @JsonPropertyDescription("What a node's labels must say.") @Nullable Map<String, String> labels,

            @JsonPropertyDescription("The only node it may run on.") @Nullable String requirednode,

            @JsonPropertyDescription("The tasks it waits for: started or succeeded, by id.") @Nullable Map<String, String> after,

            @JsonPropertyDescription("How often it runs again after it failed; 0 if left out.") @Nullable Integer retries,

            @JsonPropertyDescription("How often it runs again after it was lost.") @Nullable Integer lostretries,

            @JsonPropertyDescription("How long one run may take, such as 10m.") @Nullable String timeout,

            @JsonPropertyDescription("What it does: a list of a program and its arguments, or a text for the shell.")
            @Nullable Object command,

            @JsonPropertyDescription("Variables that are set for the command.") @Nullable Map<String, String> env,

            @JsonPropertyDescription("Where the command runs.") @Nullable String directory) {}
}
