package dev.sluice.core.application;

import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the scheduler: one task, or {@code count} tasks that are alike.
 *
 * @param name the task's id; of several tasks the common part: {@code t} with a count of 20 is {@code t-0} to {@code t-19}
 * @param kind all but the name
 */
public record TaskSpec(String name, TaskKind kind) {

    /** The count of a task that is alone and keeps its name. */
    public static final int SINGLE = 0;

    /** The most tasks that one specification may stand for. */
    public static final int COUNT_MAX = 10_000_000;

    /** The longest name of a task, and of whatever else has a name or an id. */
    public static final int NAME_LENGTH_MAX = 256;

    /** Throws {@link IllegalArgumentException} when the name is too short or too long. */
    public TaskSpec {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
            throw new IllegalArgumentException("task name must have 1 to " + NAME_LENGTH_MAX + " characters");
        }
    }

    /**
     * A specification with everything that it may say but the command, as {@link TaskKind} tells it.
     *
     * @throws IllegalArgumentException when a value is out of its range
     */
    public TaskSpec(
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
        this(
                name,
                new TaskKind(
                        count,
                        resources,
                        priority,
                        expectedDuration,
                        durationKey,
                        requiredLabels,
                        requiredNode,
                        after,
                        attempts,
                        null));
    }

    /** One task with nothing but a name and what it takes. */
    public static TaskSpec single(String name, Resources resources) {
        return of(name, SINGLE, resources);
    }

    /** So many tasks with nothing but a name and what each takes. */
    public static TaskSpec of(String name, int count, Resources resources) {
        return new TaskSpec(name, TaskKind.of(count, resources));
    }

    /** How many tasks; {@link #SINGLE} for one task whose id is the name itself. */
    public int count() {
        return kind.count();
    }

    /** What each of them takes; besides, each takes one slot. */
    public Resources resources() {
        return kind.resources();
    }

    /** A higher one goes first. */
    public int priority() {
        return kind.priority();
    }

    /** Of equal priority, longer ones go first; zero to go by how long tasks like this one took before. */
    public Duration expectedDuration() {
        return kind.expectedDuration();
    }

    /** What else counts as like this one, or null, as {@link TaskKind} tells it. */
    public @Nullable String durationKey() {
        return kind.durationKey();
    }

    /** What a node's labels must say for the task to run there. */
    public SortedMap<String, String> requiredLabels() {
        return kind.requiredLabels();
    }

    /** The only node it may run on, or null. */
    public @Nullable String requiredNode() {
        return kind.requiredNode();
    }

    /** The tasks of the same application it waits for, by name (all tasks of that name), and what must have happened. */
    public Map<String, TaskCondition> after() {
        return kind.after();
    }

    /** How often each may run and for how long. */
    public Attempts attempts() {
        return kind.attempts();
    }

    /** What each of them does, or null if others than the scheduler know. */
    public @Nullable TaskCommand command() {
        return kind.command();
    }

    /** The same, doing this. */
    public TaskSpec withCommand(@Nullable TaskCommand command) {
        return new TaskSpec(name, kind.withCommand(command));
    }

    /** The same, taking something else. */
    public TaskSpec withResources(Resources newResources) {
        return new TaskSpec(name, kind.withResources(newResources));
    }

    /** The same with another priority. */
    public TaskSpec withPriority(int newPriority) {
        return new TaskSpec(name, kind.withPriority(newPriority));
    }

    /** The same with another expected duration. */
    public TaskSpec withExpectedDuration(Duration duration) {
        return new TaskSpec(name, kind.withExpectedDuration(duration));
    }

    /** The same, for whose duration the runs of tasks with this key count. */
    public TaskSpec withDurationKey(@Nullable String key) {
        return new TaskSpec(name, kind.withDurationKey(key));
    }

    /** The same, for nodes with these labels, or for this node alone. */
    public TaskSpec withConstraints(Map<String, String> labels, @Nullable String node) {
        return new TaskSpec(name, kind.withConstraints(labels, node));
    }

    /** The same, waiting for other tasks. */
    public TaskSpec withAfter(Map<String, TaskCondition> tasks) {
        return new TaskSpec(name, kind.withAfter(tasks));
    }

    /** The same with other attempts. */
    public TaskSpec withAttempts(Attempts newAttempts) {
        return new TaskSpec(name, kind.withAttempts(newAttempts));
    }

    /** The same with other retries and another timeout. */
    public TaskSpec withAttempts(int retries, @Nullable Duration timeout) {
        return withAttempts(new Attempts(retries, attempts().lostRetries(), timeout));
    }

    /** The same, running again so many times after it was lost. */
    public TaskSpec withLostRetries(int lostRetries) {
        return withAttempts(
                new Attempts(attempts().retries(), lostRetries, attempts().timeout()));
    }

    /** How many tasks this stands for, at least 1. */
    public int size() {
        return kind.size();
    }

    /** The id of the task with this index, from 0. */
    public String taskId(int index) {
        return kind.taskId(name, index);
    }
}
