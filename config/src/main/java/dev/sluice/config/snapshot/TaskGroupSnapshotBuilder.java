package dev.sluice.config.snapshot;

import dev.sluice.core.application.DefaultResources;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies the tasks of a specification and keeps the copy up to date. The copy is made and updated on the thread that
 * owns the state; the {@linkplain #entry entry} is then created from it on any thread.
 */
final class TaskGroupSnapshotBuilder {

    private TaskSpec spec;
    private final Duration expectedDuration;

    /** The indexes of the tasks that are neither allocated nor ended; null: no event has occurred for any of them. */
    private @Nullable BitSet unallocated;

    /** The allocated tasks by index; null: none was ever allocated. */
    private @Nullable Map<Integer, TaskPart> placed;

    /** When the next runs of delayed tasks may start, by index. */
    private final SortedMap<Integer, Instant> delays = new TreeMap<>();

    private int nextAllocated;
    private int unplacedCount;
    private int succeeded;
    private int failed;
    private int stopped;
    private boolean allStarted;

    TaskGroupSnapshotBuilder(TaskGroup group) {
        spec = group.spec();
        expectedDuration = group.expectedDuration();
        count(group);
        group.delayed().forEach(task -> delays.put(task.index(), task.retryAt()));
        if (unplacedCount < spec.size()) {
            unallocated = group.unallocatedIndexes();
        }
    }

    private void count(TaskGroup group) {
        unplacedCount = group.unallocated();
        succeeded = group.succeeded();
        failed = group.failed();
        stopped = group.stopped();
        allStarted = group.has(TaskCondition.STARTED);
    }

    /** Copies allocated tasks, one per unit of the budget; returns whether all are copied. */
    boolean step(TaskGroup group, StepBudget budget) {
        for (Task task = group.nextAllocated(nextAllocated); task != null; task = group.nextAllocated(nextAllocated)) {
            if (!budget.take()) {
                return false;
            }
            put(task);
            nextAllocated = task.index() + 1;
        }
        return true;
    }

    /** Copies what an event has changed; the state may already contain changes of later events. */
    void onEvent(TaskEvent event, TaskGroup group) {
        count(group);
        if (event instanceof TaskEvent.Placed || event instanceof TaskEvent.Dropped) {
            unallocated().clear(event.task().position());
        } else if (event instanceof TaskEvent.Ended ended && ended.again()) {
            unallocated().set(event.task().position());
            if (ended.retryAt() != null) {
                delays.put(event.task().position(), ended.retryAt());
            }
        }
        if (event instanceof TaskEvent.RetryDue || event instanceof TaskEvent.Dropped) {
            delays.remove(event.task().position());
        }
        Task task = group.placed(event.task().position());
        if (task != null) {
            put(task);
        } else if (placed != null) {
            placed.remove(event.task().position());
        }
    }

    /** Copies the changed specification. */
    void updated(TaskGroup group) {
        spec = group.spec();
    }

    /** Records that all tasks without an allocation were dropped. */
    void dropped(TaskGroup group) {
        count(group);
        unallocated = new BitSet();
        delays.clear();
    }

    private BitSet unallocated() {
        BitSet known = unallocated;
        if (known == null) {
            known = new BitSet();
            known.set(0, spec.size());
            unallocated = known;
        }
        return known;
    }

    private void put(Task task) {
        if (placed == null) {
            placed = new TreeMap<>();
        }
        placed.put(
                task.index(),
                new TaskPart(task.index(), 1, state(task), task.node().name(), since(task), task.sequence()));
    }

    /** Returns the state in a snapshot, where a suspended task has started. */
    private static TaskState state(Task task) {
        return task.state() == TaskState.SUSPENDED && task.startedAt() == null ? TaskState.STARTING : task.state();
    }

    private static @Nullable Instant since(Task task) {
        return switch (state(task)) {
            case RESERVED, STARTING -> task.placedAt();
            default -> task.startedAt();
        };
    }

    TaskSpec spec() {
        return spec;
    }

    /** Returns whether all of the tasks had met the condition. */
    boolean has(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> allStarted;
            case SUCCEEDED -> succeeded == spec.size();
        };
    }

    /**
     * Returns the tasks as an entry.
     *
     * @param withoutCores whether no node of the partition has cores
     * @param met whether the tasks of a name meet a condition
     * @param startAwaited whether other tasks wait until all of these have started
     */
    TaskEntry entry(boolean withoutCores, BiPredicate<String, TaskCondition> met, boolean startAwaited) {
        TaskSpec asked = spec(withoutCores, met);
        List<TaskDelay> later = delays.entrySet().stream()
                .map(delay -> new TaskDelay(delay.getKey(), delay.getValue()))
                .toList();
        if (unplacedCount == asked.size()) {
            return new TaskEntry(asked, TaskState.PENDING, null, null, null, null, List.of(), later);
        }
        List<TaskPart> parts = parts(startAwaited);
        TaskPart first = parts.get(0);
        boolean alone = parts.size() == 1 && first.count() == asked.size();
        if (asked.count() == TaskSpec.SINGLE || (alone && !first.state().isBound())) {
            return new TaskEntry(
                    asked, first.state(), first.node(), first.started(), first.placement(), null, List.of(), List.of());
        }
        return new TaskEntry(asked, TaskState.PENDING, null, null, null, null, parts, later);
    }

    /**
     * Returns the specification with the expected duration and the conditions that are not met yet. A task that takes
     * no core says so explicitly, since the default is one core.
     */
    private TaskSpec spec(boolean withoutCores, BiPredicate<String, TaskCondition> met) {
        TaskSpec asked = spec;
        if (!DefaultResources.of(asked.resources(), withoutCores).equals(asked.resources())) {
            asked = asked.withResources(Resources.of(ResourceTypes.VCORE, 0));
        }
        if (!expectedDuration.equals(asked.expectedDuration())) {
            asked = asked.withExpectedDuration(expectedDuration);
        }
        if (asked.after().isEmpty()) {
            return asked;
        }
        Map<String, TaskCondition> unmet = new LinkedHashMap<>();
        asked.after().forEach((name, condition) -> {
            if (!met.test(name, condition)) {
                unmet.put(name, condition);
            }
        });
        return unmet.size() == asked.after().size() ? asked : asked.withAfter(unmet);
    }

    /**
     * Returns the tasks that are not pending. For ended tasks the counts by outcome are known, but not the outcome of
     * each index.
     */
    private List<TaskPart> parts(boolean startAwaited) {
        List<TaskPart> parts = new ArrayList<>();
        Collection<TaskPart> places = placed == null ? List.of() : placed.values();
        Ended ended = new Ended(succeeded, failed - (startAwaited && seemsStarted(places) ? 1 : 0));
        int next = 0;
        for (TaskPart place : places) {
            addEnded(parts, ended, next, place.first());
            parts.add(place);
            next = place.end();
        }
        addEnded(parts, ended, next, spec.size());
        return parts;
    }

    private void addEnded(List<TaskPart> parts, Ended ended, int from, int to) {
        BitSet indexes = unallocated();
        for (int first = indexes.nextClearBit(from); first < to; first = indexes.nextClearBit(first)) {
            int next = indexes.nextSetBit(first);
            int end = next < 0 || next > to ? to : next;
            while (first < end) {
                TaskPart part = ended.take(first, end - first);
                parts.add(part);
                first = part.end();
            }
        }
    }

    /**
     * Returns whether not all tasks have started, but a snapshot would imply it: there, every failed task had started.
     */
    private boolean seemsStarted(Collection<TaskPart> places) {
        return failed > 0
                && stopped == 0
                && unplacedCount == 0
                && !allStarted
                && places.stream()
                        .allMatch(place -> place.started() != null
                                && place.state() != TaskState.RESERVED
                                && place.state() != TaskState.STARTING);
    }

    /** The numbers of ended tasks by outcome that were not written yet. */
    private static final class Ended {

        private int succeeded;
        private int failed;

        Ended(int succeeded, int failed) {
            this.succeeded = succeeded;
            this.failed = failed;
        }

        /** Returns a part with as many tasks of one outcome as there are, at most {@code atMost}. */
        TaskPart take(int first, int atMost) {
            if (succeeded > 0) {
                int count = Math.min(succeeded, atMost);
                succeeded -= count;
                return new TaskPart(first, count, TaskState.SUCCEEDED, null, null, null);
            }
            if (failed > 0) {
                int count = Math.min(failed, atMost);
                failed -= count;
                return new TaskPart(first, count, TaskState.FAILED, null, null, null);
            }
            return new TaskPart(first, atMost, TaskState.STOPPED, null, null, null);
        }
    }
}
