package dev.sluice.config.snapshot;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An application and its tasks.
 *
 * @param id unique within its partition
 * @param name what submissions share that do the same work again and again
 * @param partition the partition it was submitted to
 * @param queue the queue asked for, or null to leave it to the placement rules
 * @param user who submitted it
 * @param groups the user's groups
 * @param tags what placement rules and people may look at
 * @param tag what work this is, or null
 * @param basis what it is built on, or null; only with a tag
 * @param submitted when it was submitted
 * @param state where it is in its life; null: as follows from its tasks
 * @param stateSince since when; null: not said
 * @param sealed whether nothing more will be added
 * @param onFailure what becomes of it when a task has failed for good
 * @param tasks its tasks
 */
public record ApplicationEntry(
        String id,
        String name,
        String partition,
        @Nullable String queue,
        String user,
        List<String> groups,
        SortedMap<String, String> tags,
        @Nullable String tag,
        @Nullable String basis,
        Instant submitted,
        @Nullable ApplicationState state,
        @Nullable Instant stateSince,
        boolean sealed,
        FailurePolicy onFailure,
        List<TaskEntry> tasks) {

    /** Copies the collections. */
    public ApplicationEntry {
        groups = List.copyOf(groups);
        tags = Collections.unmodifiableSortedMap(new TreeMap<>(tags));
        tasks = List.copyOf(tasks);
    }

    /** What was submitted. */
    public ApplicationSpec spec() {
        return new ApplicationSpec(
                id,
                name,
                queue,
                user,
                groups,
                tags,
                tag,
                basis,
                sealed,
                onFailure,
                tasks.stream().map(TaskEntry::spec).toList());
    }
}
