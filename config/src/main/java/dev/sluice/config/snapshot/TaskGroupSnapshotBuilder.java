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
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies the tasks of one specification, and keeps the copy up to date. The copy is made and updated on the thread that owns the state; the
 * {@linkplain #entry entry} is made of it on any thread afterwards.
 */
final class TaskGroupSnapshotBuilder {

    private final TaskSpec spec;
    private final Duration expectedDuration;

    /** The indexes of the tasks that neither hold a place nor have ended; null: nothing has happened to any of them. */
    private @Nullable BitSet unallocated;

    /** The tasks that hold a place, by index; null: none ever did. */
    private @Nullable Map<Integer, TaskPart> placed;

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

    /** Copies tasks that hold a place, one for each look; returns whether that was all of them. */
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

    /** Copies what an event has changed; the state may contain the changes of later events already. */
    void onEvent(TaskEvent event, TaskGroup group) {
        count(group);
        if (event instanceof TaskEvent.Placed || event instanceof TaskEvent.Dropped) {
            unallocated().clear(event.index());
        } else if (event instanceof TaskEvent.Ended ended && ended.again()) {
            unallocated().set(event.index());
        }
        Task task = group.placed(event.index());
        if (task != null) {
            put(task);
        } else if (placed != null) {
            placed.remove(event.index());
        }
    }

    /** Copies that all tasks that held no place were dropped. */
    void dropped(TaskGroup group) {
        count(group);
        unallocated = new BitSet();
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
                new TaskPart(task.index(), 1, task.state(), task.node().name(), since(task), task.sequence()));
    }

    private static @Nullable Instant since(Task task) {
        return switch (task.state()) {
            case RESERVED, STARTING -> task.placedAt();
            default -> task.startedAt();
        };
    }

    TaskSpec spec() {
        return spec;
    }

    /** Whether this had happened to all of the tasks. */
    boolean has(TaskCondition condition) {
        return switch (condition) {
            case STARTED -> allStarted;
            case SUCCEEDED -> succeeded == spec.size();
        };
    }

    /**
     * The tasks as an entry.
     *
     * @param withoutCores whether no node of the partition has cores
     * @param met whether a condition is met by the tasks of a name
     * @param startAwaited whether other tasks wait until all of these have started
     */
    TaskEntry entry(boolean withoutCores, BiPredicate<String, TaskCondition> met, boolean startAwaited) {
        TaskSpec asked = spec(withoutCores, met);
        if (unplacedCount == asked.size()) {
            return TaskEntry.pending(asked);
        }
        List<TaskPart> parts = parts(startAwaited);
        TaskPart first = parts.get(0);
        boolean alone = parts.size() == 1 && first.count() == asked.size();
        if (asked.count() == TaskSpec.SINGLE || (alone && !first.state().isBound())) {
            return new TaskEntry(
                    asked, first.state(), first.node(), first.started(), first.placement(), null, List.of());
        }
        return new TaskEntry(asked, TaskState.PENDING, null, null, null, null, parts);
    }

    /**
     * What was asked for, with the duration that is expected and the conditions that are not met yet. A task that takes no core says so, as
     * otherwise the snapshot would give it one.
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

    /** The tasks that are not pending. Which of those that have ended ended how is not known, but how many did. */
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

    /** Whether not all of these have started, but would have in a snapshot: there, what has failed had started. */
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

    /** How many have ended how, of those that were not written down yet. */
    private static final class Ended {

        private int succeeded;
        private int failed;

        Ended(int succeeded, int failed) {
            this.succeeded = succeeded;
            this.failed = failed;
        }

        /** As many as there are of one kind, but not more than these. */
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
