package dev.sluice.core.application;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The submission of an application.
 *
 * @param id unique within the partition
 * @param name identifies recurring submissions of the same work, whose recorded task durations predict those of this
 *     one; defaults to the id
 * @param queue the requested queue, such as {@code root.sandbox}, or null to leave the choice to the placement rules
 * @param user the submitting user
 * @param groups the user's groups
 * @param tags metadata for placement rules and people
 * @param tag groups related applications of one user: applications with the same tag share one priority; or null.
 *     Unrelated to {@code tags}
 * @param basis what the work is based on: a submission replaces the same user's applications with the same basis and
 *     another tag; or null
 * @param sealed whether no more tasks will be added
 * @param onFailure what happens when a task has failed for good
 * @param start what must happen before it starts tasks
 * @param gang the tasks that start together or not at all, or null
 * @param tasks the initial tasks; may only be empty if the application is not sealed
 */
public record ApplicationSpec(
        String id,
        String name,
        @Nullable String queue,
        String user,
        List<String> groups,
        SortedMap<String, String> tags,
        @Nullable String tag,
        @Nullable String basis,
        boolean sealed,
        FailurePolicy onFailure,
        StartConditions start,
        @Nullable Gang gang,
        List<TaskSpec> tasks) {

    /** The default user. */
    public static final String NOBODY = "nobody";

    /** Copies the collections; throws {@link IllegalArgumentException} if an id or name is empty or too long. */
    public ApplicationSpec {
        if (id.isEmpty() || id.length() > TaskSpec.NAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "application id must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        if (name.isEmpty() || name.length() > TaskSpec.NAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "application name must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        if (user.isEmpty() || user.length() > TaskSpec.NAME_LENGTH_MAX) {
            throw new IllegalArgumentException("user name must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        if (basis != null && tag == null) {
            throw new IllegalArgumentException("an application with a basis must have a tag");
        }
        groups = List.copyOf(groups);
        tags = tags.isEmpty() ? Collections.emptySortedMap() : Collections.unmodifiableSortedMap(new TreeMap<>(tags));
        tasks = List.copyOf(tasks);
    }

    /** Creates an application without a gang. */
    public ApplicationSpec(
            String id,
            String name,
            @Nullable String queue,
            String user,
            List<String> groups,
            SortedMap<String, String> tags,
            @Nullable String tag,
            @Nullable String basis,
            boolean sealed,
            FailurePolicy onFailure,
            StartConditions start,
            List<TaskSpec> tasks) {
        this(id, name, queue, user, groups, tags, tag, basis, sealed, onFailure, start, null, tasks);
    }

    public ApplicationSpec withTasks(List<TaskSpec> newTasks) {
        return new ApplicationSpec(
                id, name, queue, user, groups, tags, tag, basis, sealed, onFailure, start, gang, newTasks);
    }

    public ApplicationSpec withoutTasks() {
        return withTasks(List.of());
    }

    public ApplicationSpec withId(String newId) {
        return new ApplicationSpec(
                newId, name, queue, user, groups, tags, tag, basis, sealed, onFailure, start, gang, tasks);
    }

    public ApplicationSpec withName(String newName) {
        return new ApplicationSpec(
                id, newName, queue, user, groups, tags, tag, basis, sealed, onFailure, start, gang, tasks);
    }

    public ApplicationSpec withQueue(@Nullable String newQueue) {
        return new ApplicationSpec(
                id, name, newQueue, user, groups, tags, tag, basis, sealed, onFailure, start, gang, tasks);
    }

    public ApplicationSpec withUser(String newUser) {
        return new ApplicationSpec(
                id, name, queue, newUser, groups, tags, tag, basis, sealed, onFailure, start, gang, tasks);
    }

    public ApplicationSpec withGroups(List<String> newGroups) {
        return new ApplicationSpec(
                id, name, queue, user, newGroups, tags, tag, basis, sealed, onFailure, start, gang, tasks);
    }

    public ApplicationSpec withTags(Map<String, String> newTags) {
        return new ApplicationSpec(
                id,
                name,
                queue,
                user,
                groups,
                new TreeMap<>(newTags),
                tag,
                basis,
                sealed,
                onFailure,
                start,
                gang,
                tasks);
    }

    public ApplicationSpec withTag(@Nullable String newTag, @Nullable String newBasis) {
        return new ApplicationSpec(
                id, name, queue, user, groups, tags, newTag, newBasis, sealed, onFailure, start, gang, tasks);
    }

    public ApplicationSpec withSealed(boolean newSealed) {
        return new ApplicationSpec(
                id, name, queue, user, groups, tags, tag, basis, newSealed, onFailure, start, gang, tasks);
    }

    public ApplicationSpec withOnFailure(FailurePolicy policy) {
        return new ApplicationSpec(id, name, queue, user, groups, tags, tag, basis, sealed, policy, start, gang, tasks);
    }

    public ApplicationSpec withStart(StartConditions conditions) {
        return new ApplicationSpec(
                id, name, queue, user, groups, tags, tag, basis, sealed, onFailure, conditions, gang, tasks);
    }

    public ApplicationSpec withGang(@Nullable Gang newGang) {
        return new ApplicationSpec(
                id, name, queue, user, groups, tags, tag, basis, sealed, onFailure, start, newGang, tasks);
    }

    /** Returns an application of the default user that accepts more tasks. */
    public static ApplicationSpec open(String id, @Nullable String queue, TaskSpec... tasks) {
        return of(id, queue, false, tasks);
    }

    /** Returns an application of the default user that accepts no more tasks. */
    public static ApplicationSpec sealed(String id, @Nullable String queue, TaskSpec... tasks) {
        return of(id, queue, true, tasks);
    }

    /** Returns the id of an application that is numbered: the name and the number. */
    public static String numberedId(String name, long number) {
        return name + "-" + number;
    }

    private static ApplicationSpec of(String id, @Nullable String queue, boolean sealed, TaskSpec... tasks) {
        return new ApplicationSpec(
                id,
                id,
                queue,
                NOBODY,
                List.of(),
                Collections.emptySortedMap(),
                null,
                null,
                sealed,
                FailurePolicy.CONTINUE,
                StartConditions.NONE,
                null,
                List.of(tasks));
    }
}
