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
 * What is asked of the scheduler: one task, or {@code count} tasks that are alike.
 *
 * @param name the task's id; of several tasks the common part: {@code t} with a count of 20 is {@code t-0} to {@code t-19}
 * @param count how many tasks; {@link #SINGLE} for one task whose id is the name itself
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
 */
public record TaskSpec(
        String name,
        int count,
        Resources resources,
        int priority,
        Duration expectedDuration,
        @Nullable String durationKey,
        SortedMap<String, String> requiredLabels,
        @Nullable String requiredNode,
        Map<String, TaskCondition> after,
        Attempts attempts) {

    /** The count of a task that is alone and keeps its name. */
    public static final int SINGLE = 0;

    /** The most tasks that one specification may stand for. */
    public static final int COUNT_MAX = 10_000_000;

    /** The longest name of a task, and of whatever else has a name or an id. */
    public static final int NAME_LENGTH_MAX = 256;

    /** Copies the maps, keeps their order; throws {@link IllegalArgumentException} when a value is out of its range. */
    public TaskSpec {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
            throw new IllegalArgumentException("a task has a name of 1 to " + NAME_LENGTH_MAX + " characters");
        }
        if (count < 0 || count > COUNT_MAX) {
            throw new IllegalArgumentException("a count is between 1 and " + COUNT_MAX + ": " + count);
        }
        if (durationKey != null && (durationKey.isEmpty() || durationKey.length() > NAME_LENGTH_MAX)) {
            throw new IllegalArgumentException("a duration key has 1 to " + NAME_LENGTH_MAX + " characters");
        }
        if (expectedDuration.isNegative()) {
            throw new IllegalArgumentException("an expected duration is never negative: " + expectedDuration);
        }
        if (resources.names(ResourceTypes.SLOTS)) {
            throw new IllegalArgumentException("a task takes one slot; it cannot ask for slots");
        }
        requiredLabels = Collections.unmodifiableSortedMap(new TreeMap<>(requiredLabels));
        after = Collections.unmodifiableMap(new LinkedHashMap<>(after));
    }

    /** One task with nothing but a name and what it takes. */
    public static TaskSpec single(String name, Resources resources) {
        return of(name, SINGLE, resources);
    }

    /** So many tasks with nothing but a name and what each takes. */
    public static TaskSpec of(String name, int count, Resources resources) {
        return new TaskSpec(
                name,
                count,
                resources,
                0,
                Duration.ZERO,
                null,
                Collections.emptySortedMap(),
                null,
                Map.of(),
                Attempts.DEFAULTS);
    }

    /** The same, taking something else. */
    public TaskSpec withResources(Resources newResources) {
        return new TaskSpec(
                name,
                count,
                newResources,
                priority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                attempts);
    }

    /** The same with another priority. */
    public TaskSpec withPriority(int newPriority) {
        return new TaskSpec(
                name,
                count,
                resources,
                newPriority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                attempts);
    }

    /** The same with another expected duration. */
    public TaskSpec withExpectedDuration(Duration duration) {
        return new TaskSpec(
                name, count, resources, priority, duration, durationKey, requiredLabels, requiredNode, after, attempts);
    }

    /** The same, for whose duration the runs of tasks with this key count. */
    public TaskSpec withDurationKey(@Nullable String key) {
        return new TaskSpec(
                name, count, resources, priority, expectedDuration, key, requiredLabels, requiredNode, after, attempts);
    }

    /** The same, for nodes with these labels, or for this node alone. */
    public TaskSpec withConstraints(Map<String, String> labels, @Nullable String node) {
        return new TaskSpec(
                name,
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                new TreeMap<>(labels),
                node,
                after,
                attempts);
    }

    /** The same, waiting for other tasks. */
    public TaskSpec withAfter(Map<String, TaskCondition> tasks) {
        return new TaskSpec(
                name,
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                tasks,
                attempts);
    }

    /** The same with other attempts. */
    public TaskSpec withAttempts(Attempts newAttempts) {
        return new TaskSpec(
                name,
                count,
                resources,
                priority,
                expectedDuration,
                durationKey,
                requiredLabels,
                requiredNode,
                after,
                newAttempts);
    }

    /** The same with other retries and another timeout. */
    public TaskSpec withAttempts(int retries, @Nullable Duration timeout) {
        return withAttempts(new Attempts(retries, attempts.lostRetries(), timeout));
    }

    /** The same, running again so many times after it was lost. */
    public TaskSpec withLostRetries(int lostRetries) {
        return withAttempts(new Attempts(attempts.retries(), lostRetries, attempts.timeout()));
    }

    /** How many tasks this stands for, at least 1. */
    public int size() {
        return count == SINGLE ? 1 : count;
    }

    /** The id of the task with this index, from 0. */
    public String taskId(int index) {
        return count == SINGLE ? name : name + "-" + index;
    }
}
