package dev.sluice.core.application;

import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The specification of one task, or of {@code count} identical tasks.
 *
 * @param name the task's id; for several tasks their common prefix: {@code t} with a count of 20 is {@code t-0} to
 *     {@code t-19}
 * @param kind everything but the name
 */
public record TaskSpec(String name, TaskKind kind) {

    /** The count of a single task, which keeps its name as id. */
    public static final int SINGLE = 0;

    /** The maximum number of tasks of one specification. */
    public static final int COUNT_MAX = 10_000_000;

    /** The maximum length of task names and all other names and ids, in characters. */
    public static final int NAME_LENGTH_MAX = 256;

    /** Throws {@link IllegalArgumentException} if the name is empty or too long. */
    public TaskSpec {
        if (name.isEmpty() || name.length() > NAME_LENGTH_MAX) {
            throw new IllegalArgumentException("task name must have 1 to " + NAME_LENGTH_MAX + " characters");
        }
    }

    /**
     * Creates a specification without a command; see {@link TaskKind} for the parameters.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public TaskSpec(
            String name,
            int count,
            Resources resources,
            int priority,
            Duration expectedDuration,
            @Nullable String durationKey,
            Constraints constraints,
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
                        constraints,
                        requiredNode,
                        after,
                        attempts,
                        null));
    }

    public static TaskSpec single(String name, Resources resources) {
        return of(name, SINGLE, resources);
    }

    public static TaskSpec of(String name, int count, Resources resources) {
        return new TaskSpec(name, TaskKind.of(count, resources));
    }

    /** The number of tasks; {@link #SINGLE} for one task whose id is the name itself. */
    public int count() {
        return kind.count();
    }

    /** The resources of each task, in addition to one slot. */
    public Resources resources() {
        return kind.resources();
    }

    /** The priority; higher ones go first. */
    public int priority() {
        return kind.priority();
    }

    /**
     * The expected duration: among tasks of equal priority, longer ones go first; zero to predict it from previous
     * runs.
     */
    public Duration expectedDuration() {
        return kind.expectedDuration();
    }

    /** The key of similar tasks, or null; see {@link TaskKind}. */
    public @Nullable String durationKey() {
        return kind.durationKey();
    }

    /** Which nodes it may run on and prefers. */
    public Constraints constraints() {
        return kind.constraints();
    }

    /** The only node it may run on, or null. */
    public @Nullable String requiredNode() {
        return kind.requiredNode();
    }

    /** The dependencies within the application: what must have happened, by task name (all tasks of that name). */
    public Map<String, TaskCondition> after() {
        return kind.after();
    }

    /** How often each task may run, for how long, and whether a run may be preempted. */
    public Attempts attempts() {
        return kind.attempts();
    }

    /** What each task runs, or null if the scheduler does not know. */
    public @Nullable TaskCommand command() {
        return kind.command();
    }

    /** The container in which each task runs, or null if there is none. */
    public @Nullable TaskContainer container() {
        TaskCommand command = command();
        return command == null ? null : command.container();
    }

    public TaskSpec withCommand(@Nullable TaskCommand command) {
        return new TaskSpec(name, kind.withCommand(command));
    }

    /** Returns it with this number of tasks. */
    public TaskSpec withCount(int newCount) {
        return new TaskSpec(name, kind.withCount(newCount));
    }

    public TaskSpec withResources(Resources newResources) {
        return new TaskSpec(name, kind.withResources(newResources));
    }

    public TaskSpec withPriority(int newPriority) {
        return new TaskSpec(name, kind.withPriority(newPriority));
    }

    public TaskSpec withExpectedDuration(Duration duration) {
        return new TaskSpec(name, kind.withExpectedDuration(duration));
    }

    public TaskSpec withDurationKey(@Nullable String key) {
        return new TaskSpec(name, kind.withDurationKey(key));
    }

    /** Returns it for nodes with these labels, or for one node. */
    public TaskSpec withConstraints(Map<String, String> nodeSelector, @Nullable String node) {
        return new TaskSpec(name, kind.withConstraints(Constraints.ofSelector(nodeSelector), node));
    }

    public TaskSpec withConstraints(Constraints constraints) {
        return new TaskSpec(name, kind.withConstraints(constraints, requiredNode()));
    }

    public TaskSpec withAfter(Map<String, TaskCondition> tasks) {
        return new TaskSpec(name, kind.withAfter(tasks));
    }

    public TaskSpec withAttempts(Attempts newAttempts) {
        return new TaskSpec(name, kind.withAttempts(newAttempts));
    }

    public TaskSpec withAttempts(int retries, @Nullable Duration timeout) {
        return withAttempts(attempts().withRetries(Retries.of(retries)).withTimeout(timeout));
    }

    public TaskSpec withRetries(Retries retries) {
        return withAttempts(attempts().withRetries(retries));
    }

    public TaskSpec withLostRetries(int lostRetries) {
        return withAttempts(attempts().withLostRetries(lostRetries));
    }

    public TaskSpec withPreemptible(boolean preemptible) {
        return withAttempts(attempts().withPreemptible(preemptible));
    }

    /** Returns the number of tasks, at least 1. */
    public int size() {
        return kind.size();
    }

    /**
     * Returns the id of a task.
     *
     * @param index from 0
     */
    public String taskId(int index) {
        return kind.taskId(name, index);
    }
}
