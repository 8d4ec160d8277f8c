package dev.sluice.config.snapshot;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One task, or several equal tasks.
 *
 * @param spec the specification
 * @param state the state of the tasks that are not in {@code parts}; never {@link TaskState#WAITING}, which follows
 *     from {@code after}
 * @param node their node; null if they are not allocated, or if {@link RunningTaskPlacement} finds one
 * @param started when they started; null: the instant of the snapshot
 * @param placement the sequence number of the allocation, see {@link TaskPart}
 * @param duration how long each of them runs in a simulation, or null
 * @param parts the tasks in other states, by index; only of several tasks, the rest of which is not allocated
 * @param delays the pending tasks that run again later, by index
 */
public record TaskEntry(
        TaskSpec spec,
        TaskState state,
        @Nullable String node,
        @Nullable Instant started,
        @Nullable Long placement,
        @Nullable Duration duration,
        List<TaskPart> parts,
        List<TaskDelay> delays) {

    /**
     * Throws {@link IllegalArgumentException} for a node without an allocated task, for {@code WAITING}, and for
     * invalid parts.
     */
    public TaskEntry {
        if (state == TaskState.WAITING) {
            throw new IllegalArgumentException("waiting follows from after: use pending");
        }
        if ((node != null || started != null || placement != null) && !state.isBound()) {
            throw new IllegalArgumentException("a task in state " + state.wireName() + " has no node: " + spec.name());
        }
        parts = List.copyOf(parts);
        int end = 0;
        for (TaskPart part : parts) {
            if (part.first() < end || part.end() > spec.size() || spec.count() == TaskSpec.SINGLE || state.isBound()) {
                throw new IllegalArgumentException("invalid part of the tasks " + spec.name() + ": " + part);
            }
            end = part.end();
        }
        delays = List.copyOf(delays);
        int next = 0;
        for (TaskDelay delay : delays) {
            boolean inPart =
                    parts.stream().anyMatch(part -> part.first() <= delay.index() && delay.index() < part.end());
            if (delay.index() < next || delay.index() >= spec.size() || state != TaskState.PENDING || inPart) {
                throw new IllegalArgumentException("invalid delay of the tasks " + spec.name() + ": " + delay);
            }
            next = delay.index() + 1;
        }
    }

    /** Creates tasks that are all in the same state. */
    public TaskEntry(
            TaskSpec spec,
            TaskState state,
            @Nullable String node,
            @Nullable Instant started,
            @Nullable Duration duration) {
        this(spec, state, node, started, null, duration, List.of(), List.of());
    }

    /** Returns pending tasks. */
    public static TaskEntry pending(TaskSpec spec) {
        return new TaskEntry(spec, TaskState.PENDING, null, null, null);
    }

    /** Returns the same tasks with another specification of as many. */
    TaskEntry withSpec(TaskSpec newSpec) {
        return new TaskEntry(newSpec, state, node, started, placement, duration, parts, delays);
    }

    /** Returns all tasks by index: the parts, and the tasks between them. */
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

    /** Returns whether any of the tasks is allocated. */
    public boolean isBound() {
        return state.isBound()
                || (!parts.isEmpty()
                        && parts.stream().anyMatch(part -> part.state().isBound()));
    }
}
