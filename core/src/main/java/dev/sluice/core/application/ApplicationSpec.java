package dev.sluice.core.application;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A submission: who wants what.
 *
 * @param id unique within the partition
 * @param name what those submissions share that do the same work again and again, so that how long their tasks took tells something
 *     of these; its id where none is given
 * @param queue the queue asked for, such as {@code root.sandbox}, or null to leave it to the placement rules
 * @param user who submits
 * @param groups the user's groups
 * @param tags what placement rules and people may look at
 * @param tag what work this is: of the applications of one user, those with the same tag go with the same priority; or null. It has
 *     nothing to do with {@code tags}
 * @param basis what this work is built on: an application replaces those of the same user and basis that have another tag; or null
 * @param sealed whether nothing more will be added
 * @param onFailure what becomes of it when a task has failed for good
 * @param tasks its first tasks; may be none unless it is sealed
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
        List<TaskSpec> tasks) {

    /** The user where none is named. */
    public static final String NOBODY = "nobody";

    /** Copies the collections; throws {@link IllegalArgumentException} for an id or a user without name. */
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

    /** The same with other tasks. */
    public ApplicationSpec withTasks(List<TaskSpec> newTasks) {
        return new ApplicationSpec(id, name, queue, user, groups, tags, tag, basis, sealed, onFailure, newTasks);
    }

    /** The same without its tasks. */
    public ApplicationSpec withoutTasks() {
        return withTasks(List.of());
    }

    /** The same with another id. */
    public ApplicationSpec withId(String newId) {
        return new ApplicationSpec(newId, name, queue, user, groups, tags, tag, basis, sealed, onFailure, tasks);
    }

    /** The same with another name. */
    public ApplicationSpec withName(String newName) {
        return new ApplicationSpec(id, newName, queue, user, groups, tags, tag, basis, sealed, onFailure, tasks);
    }

    /** The same of another user. */
    public ApplicationSpec withUser(String newUser) {
        return new ApplicationSpec(id, name, queue, newUser, groups, tags, tag, basis, sealed, onFailure, tasks);
    }

    /** The same of a user who is in other groups. */
    public ApplicationSpec withGroups(List<String> newGroups) {
        return new ApplicationSpec(id, name, queue, user, newGroups, tags, tag, basis, sealed, onFailure, tasks);
    }

    /** The same with other tags. */
    public ApplicationSpec withTags(Map<String, String> newTags) {
        return new ApplicationSpec(
                id, name, queue, user, groups, new TreeMap<>(newTags), tag, basis, sealed, onFailure, tasks);
    }

    /** The same with another tag and basis. */
    public ApplicationSpec withTag(@Nullable String newTag, @Nullable String newBasis) {
        return new ApplicationSpec(id, name, queue, user, groups, tags, newTag, newBasis, sealed, onFailure, tasks);
    }

    /** The same, to which nothing will be added, or something may be. */
    public ApplicationSpec withSealed(boolean newSealed) {
        return new ApplicationSpec(id, name, queue, user, groups, tags, tag, basis, newSealed, onFailure, tasks);
    }

    /** The same with another failure policy. */
    public ApplicationSpec withOnFailure(FailurePolicy policy) {
        return new ApplicationSpec(id, name, queue, user, groups, tags, tag, basis, sealed, policy, tasks);
    }

    /** An application of nobody in this queue, open for more tasks. */
    public static ApplicationSpec open(String id, @Nullable String queue, TaskSpec... tasks) {
        return of(id, queue, false, tasks);
    }

    /** An application of nobody in this queue, to which nothing will be added. */
    public static ApplicationSpec sealed(String id, @Nullable String queue, TaskSpec... tasks) {
        return of(id, queue, true, tasks);
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
                List.of(tasks));
    }
}
