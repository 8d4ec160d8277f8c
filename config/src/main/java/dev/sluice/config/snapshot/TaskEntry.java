package dev.sluice.config.snapshot;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One task, or several that are alike.
 *
 * @param spec what was asked for
 * @param state where they are in their life, but for those in {@code parts}; never {@link TaskState#WAITING}, which follows from
 *     {@code after}
 * @param node where they run; null if they do not run, or if {@link RunningTaskPlacement} finds them a place
 * @param started since when they run; null: since the instant of the snapshot
 * @param placement which placement it was, see {@link TaskPart}
 * @param duration how long each of them runs in a simulation, or null
 * @param parts those of them that are in other states, by index; only of several tasks, the rest of which stand on no node
 */
public record TaskEntry(
        TaskSpec spec,
        TaskState state,
        @Nullable String node,
        @Nullable Instant started,
        @Nullable Long placement,
        @Nullable Duration duration,
        List<TaskPart> parts) {

    /** Throws {@link IllegalArgumentException} for a place without a task that holds it, for {@code WAITING}, and for parts of others. */
    public TaskEntry {
        if (state == TaskState.WAITING) {
            throw new IllegalArgumentException("whether a task waits follows from after; until then it is pending");
        }
        if ((node != null || started != null || placement != null) && !state.isBound()) {
            throw new IllegalArgumentException(
                    "a task that is " + state.wireName() + " stands on no node: " + spec.name());
        }
        parts = List.copyOf(parts);
        int end = 0;
        for (TaskPart part : parts) {
            if (part.first() < end || part.end() > spec.size() || spec.count() == TaskSpec.SINGLE || state.isBound()) {
                throw new IllegalArgumentException("no part of the tasks " + spec.name() + ": " + part);
            }
            end = part.end();
        }
    }

    /** Tasks that are in the same state. */
    public TaskEntry(
            TaskSpec spec,
            TaskState state,
            @Nullable String node,
            @Nullable Instant started,
            @Nullable Duration duration) {
        this(spec, state, node, started, null, duration, List.of());
    }

    /** A task that waits for a place. */
    public static TaskEntry pending(TaskSpec spec) {
        return new TaskEntry(spec, TaskState.PENDING, null, null, null);
    }

    /** All of its tasks, by index: the parts, and what is between them. */
    public List<TaskPart> allParts() {
        if (parts.isEmpty()) {
            return List.of(new TaskPart(0, spec.size(), state, node, started, spec.size() == 1 ? placement : null));
        }
        List<TaskPart> all = new ArrayList<>();
        int end = 0;
        for (TaskPart part : parts) {
            addRest(all, end, part.first());
            all.add(part);
            end = part.end();
        }
        addRest(all, end, spec.size());
        return all;
    }

    private void addRest(List<TaskPart> all, int from, int to) {
        if (from < to) {
            all.add(new TaskPart(from, to - from, state, null, null, null));
        }
    }

    /** Whether any of them stands on a node. */
    public boolean isBound() {
        return state.isBound() || parts.stream().anyMatch(part -> part.state().isBound());
    }
}
