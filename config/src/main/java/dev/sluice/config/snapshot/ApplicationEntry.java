package dev.sluice.config.snapshot;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.StartConditions;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An application with its tasks.
 *
 * @param id the id, unique within the partition
 * @param name shared by applications that do the same work
 * @param partition the partition it was submitted to
 * @param queue the path of the requested queue; null: placement rules decide
 * @param user the user who submitted it
 * @param groups the groups of the user
 * @param tags tags for placement rules and people
 * @param tag identifies the work, or null
 * @param basis what the work is built on, or null; only with a tag
 * @param submitted when it was submitted
 * @param state its state; null: as its tasks imply
 * @param stateSince when it entered the state; null: unknown
 * @param pendingSince since when it has had pending tasks without a break; null: since it was submitted
 * @param sealed whether no more tasks can be added
 * @param onFailure what happens when a task has failed for good
 * @param start what must happen before it starts tasks
 * @param gang the tasks that start together or not at all, or null
 * @param restarting whether the gang starts again when the last of its tasks on nodes has ended
 * @param tasks its tasks
 * @param numbered whether no id was given, so that it is chosen on submission; the id is the name until then
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
        @Nullable Instant pendingSince,
        boolean sealed,
        FailurePolicy onFailure,
        StartConditions start,
        @Nullable Gang gang,
        boolean restarting,
        List<TaskEntry> tasks,
        boolean numbered) {

    /** Copies the collections. */
    public ApplicationEntry {
        groups = List.copyOf(groups);
        tags = tags.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(new TreeMap<>(tags));
        tasks = List.copyOf(tasks);
    }

    /** Returns this application under this id and name; a null id keeps the given id, or has the new name numbered. */
    public ApplicationEntry named(@Nullable String newId, @Nullable String newName) {
        String shown = newName == null ? name : newName;
        return new ApplicationEntry(
                newId != null ? newId : numbered ? shown : id,
                shown,
                partition,
                queue,
                user,
                groups,
                tags,
                tag,
                basis,
                submitted,
                state,
                stateSince,
                pendingSince,
                sealed,
                onFailure,
                start,
                gang,
                restarting,
                tasks,
                numbered && newId == null);
    }

    /** Returns this application with these start conditions. */
    public ApplicationEntry withStart(StartConditions newStart) {
        return new ApplicationEntry(
                id,
                name,
                partition,
                queue,
                user,
                groups,
                tags,
                tag,
                basis,
                submitted,
                state,
                stateSince,
                pendingSince,
                sealed,
                onFailure,
                newStart,
                gang,
                restarting,
                tasks,
                numbered);
    }

    /** Returns the specification that was submitted. */
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
                start,
                gang,
                tasks.stream().map(TaskEntry::spec).toList());
    }
}
