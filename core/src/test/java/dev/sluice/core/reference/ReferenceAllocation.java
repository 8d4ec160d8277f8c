package dev.sluice.core.reference;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** One task on a node: allocated, reserved or preempting. */
final class ReferenceAllocation {

    /** Most recently started first: (not started yet, start, placement), each descending. */
    static final Comparator<ReferenceAllocation> MOST_RECENT = Comparator.comparing(
                    (ReferenceAllocation task) -> task.started)
            .thenComparing(task -> task.sequence)
            .reversed();

    final ReferenceApplication application;
    final ReferenceNode node;
    final TaskSpec spec;

    /** Its group, whose specification may have changed since its allocation; null if the cycle places it. */
    final @Nullable TaskGroup group;

    final Duration expectedDuration;
    final int groupIndex;
    final int index;
    final SortedMap<String, Long> demand;
    TaskState state;
    final Instant started;
    final Instant placed;
    private final long sequence;
    private final @Nullable Task task;

    /** Creates the allocation of a task that was on the node at the start of the cycle. */
    ReferenceAllocation(Task task, ReferenceApplication application, ReferenceNode node) {
        this.application = application;
        this.node = node;
        this.task = task;
        group = task.group();
        spec = new TaskSpec(group.name(), task.kind());
        expectedDuration = task.group().expectedDuration();
        groupIndex = task.group().index();
        index = task.index();
        demand = ReferenceAmounts.demand(spec.resources());
        state = task.state();
        started = Objects.requireNonNullElse(task.startedAt(), Instant.MAX);
        placed = task.placedAt();
        sequence = task.sequence();
    }

    /** Creates the allocation of a task that the cycle places. */
    ReferenceAllocation(
            ReferenceTask task, ReferenceApplication application, ReferenceNode node, boolean reserved, long sequence) {
        this.sequence = sequence;
        this.task = null;
        this.application = application;
        this.node = node;
        group = null;
        spec = task.spec;
        expectedDuration = task.expectedDuration;
        groupIndex = task.groupIndex;
        index = task.index;
        demand = task.demand;
        state = reserved ? TaskState.RESERVED : TaskState.STARTING;
        started = Instant.MAX;
        placed = Instant.MAX;
    }

    static List<ReferenceAllocation> inOrderOfPlacement(List<ReferenceAllocation> tasks) {
        return tasks.stream()
                .sorted(Comparator.comparing(task -> task.sequence))
                .toList();
    }

    boolean isPreempting() {
        return state == TaskState.PREEMPTING;
    }

    /** Whether it has started and is not being stopped. */
    boolean isStarted() {
        return !started.equals(Instant.MAX) && state != TaskState.STOPPING && !isPreempting();
    }

    boolean isReserved() {
        return state == TaskState.RESERVED;
    }

    boolean hasStarted() {
        return !started.equals(Instant.MAX);
    }

    boolean isSuspended() {
        return state == TaskState.SUSPENDED;
    }

    /** Returns its own time limit, once started that of its queue, too; null if it has none. */
    @Nullable Duration timeout() {
        return task != null && hasStarted() ? task.timeout() : spec.attempts().timeout();
    }

    /** Returns from when its duration counts. */
    Instant since(Instant now) {
        Instant from = hasStarted() ? started : placed.equals(Instant.MAX) ? now : placed;
        return task == null ? from : from.plus(task.suspendedTime(now));
    }

    /** Whether its preemption makes a worker idle. */
    boolean isReclaimable() {
        return state != TaskState.STOPPING && !isPreempting() && node.ready;
    }

    /** Identifies the task. */
    String name() {
        return application.id + "/" + spec.name() + "[" + index + "]";
    }
}
