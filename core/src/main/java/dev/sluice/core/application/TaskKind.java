package dev.sluice.core.application;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the scheduler, but for the name: all that specifications have in common which differ in their names alone, so that
 * it can be kept once for all of them.
 *
 * @param count how many tasks; {@link TaskSpec#SINGLE} for one task whose id is the name itself
 * @param resources what each of them takes; besides, each takes one slot
 * @param priority a higher one goes first
 * @param expectedDuration of equal priority, longer ones go first; zero to go by how long tasks like
 *     this one took before
 * @param durationKey what else counts as like this one: tasks with the same key, in whatever application. Null: the tasks of the same
 *     name in applications of the same name
 * @param requiredLabels what a node's labels must say for the task to run there
 * @param requiredNode the only node it may run on, or null
 * @param after the tasks of the same application it waits for, by name (all tasks of that name), and what must have happened
 * @param attempts how often each may run and for how long
 * @param command what each of them does, for whoever carries it out: the scheduler does not look at it; null if others know
 */
public record TaskKind(
        int count,
        Resources resources,
        int priority,
        Duration expectedDuration,
        @Nullable String durationKey,
        SortedMap<String, String> requiredLabels,
        @Nullable String requiredNode,
        Map<String, TaskCondition> after,
        Attempts attempts,
        @Nullable TaskCommand command) {

    /** Copies the maps, keeps their order; throws {@link IllegalArgumentException} when a value is out of its range. */
    public TaskKind {
        if (count < 0 || count > TaskSpec.COUNT_MAX) {
            throw new IllegalArgumentException("count must be between 1 and " + TaskSpec.COUNT_MAX + ": " + count);
        }
        if (durationKey != null && (durationKey.isEmpty() || durationKey.length() > TaskSpec.NAME_LENGTH_MAX)) {
            throw new IllegalArgumentException("duration key must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        if (expectedDuration.isNegative()) {
            throw new IllegalArgumentException("expected duration must not be negative: " + expectedDuration);
        }
        if (resources.names(ResourceTypes.SLOTS)) {
            throw new IllegalArgumentException("a task cannot request slots: it always takes exactly one");
        }
        requiredLabels = requiredLabels.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(requiredLabels));
        after = after.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(after));
    }

    /**
     * Of all components, since kinds may differ in any one of them, and those whose hashes agree are looked for one by one. What is
     * not there, as most are not, costs a look: the hash that a record has by itself goes through every map, and is asked for several
     * times of every task that is submitted.
     */
    @Override
    public int hashCode() {
        int hash = 31 * count + priority;
        hash = 31 * hash + resources.hashCode();
        hash = 31 * hash + expectedDuration.hashCode();
        hash = 31 * hash + attempts.hashCode();
        hash = 31 * hash + (durationKey == null ? 0 : durationKey.hashCode());
        hash = 31 * hash + (requiredNode == null ? 0 : requiredNode.hashCode());
        hash = 31 * hash + (requiredLabels.isEmpty() ? 0 : requiredLabels.hashCode());
        hash = 31 * hash + (after.isEmpty() ? 0 : after.hashCode());
        return 31 * hash + (command == null ? 0 : command.hashCode());
    }

    /** So many tasks with nothing but what each takes. */
    static TaskKind of(int count, Resources resources) {
        return new TaskKind(
                count,
                resources,
                0,
                Duration.ZERO,
                null,
                Collections.emptySortedMap(),
                null,
                Map.of(),
                Attempts.DEFAULTS,
                null);
    }

    /** How many tasks this stands for, at least 1. */
    public int size() {
        return count == TaskSpec.SINGLE ? 1 : count;
    }

    /** The id of the task with this index, from 0, of a specification of this kind and name. */
    public String taskId(String name, int index) {
        return count == TaskSpec.SINGLE ? name : name + "-" + index;
    }

    TaskKind withResources(Resources newResources) {
        return new TaskKind(
                count,
                newResources,
                priority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                attempts,
                command);
    }

    TaskKind withPriority(int newPriority) {
        return new TaskKind(
                count,
                resources,
                newPriority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                attempts,
                command);
    }

    TaskKind withExpectedDuration(Duration duration) {
        return new TaskKind(
                count,
                resources,
                priority,
                duration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                attempts,
                command);
    }

    TaskKind withDurationKey(@Nullable String key) {
        return new TaskKind(
                count,
                resources,
                priority,
                expectedDuration,
                key,
                requiredLabels,
                requiredNode,
                after,
                attempts,
                command);
    }

    TaskKind withConstraints(Map<String, String> labels, @Nullable String node) {
        return new TaskKind(
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                new TreeMap<>(labels),
                node,
                after,
                attempts,
                command);
    }

    TaskKind withAfter(Map<String, TaskCondition> tasks) {
        return new TaskKind(
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                tasks,
                attempts,
                command);
    }

    TaskKind withAttempts(Attempts newAttempts) {
        return new TaskKind(
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                newAttempts,
                command);
    }

    TaskKind withCommand(@Nullable TaskCommand newCommand) {
        return new TaskKind(
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                attempts,
                newCommand);
    }
}
