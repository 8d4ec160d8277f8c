package dev.sluice.core.application;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task specification without its name: the part that equal specifications share, so that it is stored once.
 *
 * @param count the number of tasks; {@link TaskSpec#SINGLE} for one task whose id is the name itself
 * @param resources the resources of each task, in addition to one slot
 * @param priority higher priorities go first
 * @param expectedDuration among tasks of equal priority, longer ones go first; zero to predict it from previous runs of
 *     similar tasks
 * @param durationKey which previous runs count as similar: those of tasks with the same key, in any application. Null:
 *     those of tasks with the same name in applications with the same name
 * @param constraints which nodes it may run on and prefers
 * @param requiredNode the only node it may run on, or null
 * @param after dependencies within the application: what must have happened, by task name (all tasks of that name)
 * @param attempts how often each task may run, and for how long
 * @param command what each task runs, for the executor; the scheduler ignores it; null if only others know it
 */
public record TaskKind(
        int count,
        Resources resources,
        int priority,
        Duration expectedDuration,
        @Nullable String durationKey,
        Constraints constraints,
        @Nullable String requiredNode,
        Map<String, TaskCondition> after,
        Attempts attempts,
        @Nullable TaskCommand command) {

    /** Copies the maps in their order; throws {@link IllegalArgumentException} if a value is out of range. */
    public TaskKind {
        if (count < 0 || count > TaskSpec.COUNT_MAX) {
            throw new IllegalArgumentException("count must be between 1 and " + TaskSpec.COUNT_MAX + ": " + count);
        }
        if (durationKey != null && (durationKey.isEmpty() || durationKey.length() > TaskSpec.NAME_LENGTH_MAX)) {
            throw new IllegalArgumentException(
                    "duration key must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
        }
        if (expectedDuration.isNegative()) {
            throw new IllegalArgumentException("expected duration must not be negative: " + expectedDuration);
        }
        if (resources.names(ResourceTypes.SLOTS)) {
            throw new IllegalArgumentException("a task cannot request slots: it always takes exactly one");
        }
        after = after.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(after));
    }

    /**
     * Covers all components: kinds may differ in any one of them, and a lookup compares kinds with equal hashes one by
     * one. The default hash of a record would iterate over empty maps too, and the hash is computed several times per
     * submitted task.
     */
    @Override
    public int hashCode() {
        int hash = 31 * count + priority;
        hash = 31 * hash + resources.hashCode();
        hash = 31 * hash + expectedDuration.hashCode();
        hash = 31 * hash + attempts.hashCode();
        hash = 31 * hash + (durationKey == null ? 0 : durationKey.hashCode());
        hash = 31 * hash + (requiredNode == null ? 0 : requiredNode.hashCode());
        hash = 31 * hash + (constraints.isEmpty() ? 0 : constraints.hashCode());
        hash = 31 * hash + (after.isEmpty() ? 0 : after.hashCode());
        return 31 * hash + (command == null ? 0 : command.hashCode());
    }

    static TaskKind of(int count, Resources resources) {
        return new TaskKind(
                count, resources, 0, Duration.ZERO, null, Constraints.NONE, null, Map.of(), Attempts.DEFAULTS, null);
    }

    /** Returns the number of tasks, at least 1. */
    public int size() {
        return count == TaskSpec.SINGLE ? 1 : count;
    }

    /**
     * Returns the id of a task of a specification of this kind and name.
     *
     * @param index from 0
     */
    public String taskId(String name, int index) {
        return count == TaskSpec.SINGLE ? name : name + "-" + index;
    }

    TaskKind withCount(int newCount) {
        return new TaskKind(
                newCount,
                resources,
                priority,
                expectedDuration,
                durationKey,
                constraints,
                requiredNode,
                after,
                attempts,
                command);
    }

    TaskKind withResources(Resources newResources) {
        return new TaskKind(
                count,
                newResources,
                priority,
                expectedDuration,
                durationKey,
                constraints,
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
                constraints,
                requiredNode,
                after,
                attempts,
                command);
    }

    TaskKind withExpectedDuration(Duration duration) {
        return new TaskKind(
                count, resources, priority, duration, durationKey, constraints, requiredNode, after, attempts, command);
    }

    TaskKind withDurationKey(@Nullable String key) {
        return new TaskKind(
                count, resources, priority, expectedDuration, key, constraints, requiredNode, after, attempts, command);
    }

    TaskKind withConstraints(Constraints newConstraints, @Nullable String node) {
        return new TaskKind(
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                newConstraints,
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
                constraints,
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
                constraints,
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
                constraints,
                requiredNode,
                after,
                attempts,
                newCommand);
    }
}
