package dev.sluice.config.situation;

import dev.sluice.core.application.DefaultResources;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes down one application that has not ended. */
final class ApplicationTaker {

    private ApplicationTaker() {}

    /** The application as it is, in this partition. */
    static ApplicationEntry take(Partition partition, Application application) {
        List<TaskEntry> tasks = new ArrayList<>(application.groups().size());
        for (TaskGroup group : application.groups()) {
            tasks.add(tasks(partition, group));
        }
        return new ApplicationEntry(
                application.id(),
                application.spec().name(),
                partition.name(),
                application.queue().path(),
                application.spec().user(),
                application.spec().groups(),
                application.spec().tags(),
                application.spec().tag(),
                application.spec().basis(),
                application.submitted(),
                application.state(),
                application.stateSince(),
                application.isSealed(),
                application.spec().onFailure(),
                tasks);
    }

    private static TaskEntry tasks(Partition partition, TaskGroup group) {
        TaskSpec spec = spec(partition, group);
        if (group.unplaced() == spec.size()) {
            return TaskEntry.pending(spec);
        }
        List<TaskPart> parts = parts(group);
        TaskPart first = parts.get(0);
        boolean alone = parts.size() == 1 && first.count() == spec.size();
        if (spec.count() == TaskSpec.SINGLE || (alone && !first.state().stands())) {
            return new TaskEntry(
                    spec, first.state(), first.node(), first.started(), first.placement(), null, List.of());
        }
        return new TaskEntry(spec, TaskState.PENDING, null, null, null, null, parts);
    }

    /**
     * What was asked for, with the duration that is expected and the conditions that are not met yet. A task that takes no core says so, as
     * otherwise the snapshot would give it one.
     */
    private static TaskSpec spec(Partition partition, TaskGroup group) {
        TaskSpec spec = group.spec();
        if (!DefaultResources.of(spec.resources(), partition.isWithoutCores()).equals(spec.resources())) {
            spec = spec.withResources(Resources.of(ResourceTypes.VCORE, 0));
        }
        if (!group.expectedDuration().equals(spec.expectedDuration())) {
            spec = spec.withExpectedDuration(group.expectedDuration());
        }
        if (spec.after().isEmpty()) {
            return spec;
        }
        Map<String, TaskCondition> unmet = new LinkedHashMap<>();
        spec.after().forEach((name, condition) -> {
            TaskGroup awaited = group.application().group(name);
            if (awaited == null || !awaited.has(condition)) {
                unmet.put(name, condition);
            }
        });
        return unmet.size() == spec.after().size() ? spec : spec.withAfter(unmet);
    }

    /** The tasks that are not pending. Which of those that have ended ended how is not known, but how many did. */
    private static List<TaskPart> parts(TaskGroup group) {
        List<TaskPart> parts = new ArrayList<>();
        BitSet unplaced = group.unplacedIndexes();
        Ended ended = new Ended(group);
        int next = 0;
        for (Task task : group.placed()) {
            addEnded(parts, ended, unplaced, next, task.index());
            parts.add(new TaskPart(task.index(), 1, task.state(), task.node().name(), since(task), task.sequence()));
            next = task.index() + 1;
        }
        addEnded(parts, ended, unplaced, next, group.kind().size());
        return parts;
    }

    private static @Nullable Instant since(Task task) {
        return switch (task.state()) {
            case HELD, STARTING -> task.placedAt();
            default -> task.startedAt();
        };
    }

    private static void addEnded(List<TaskPart> parts, Ended ended, BitSet unplaced, int from, int to) {
        for (int first = unplaced.nextClearBit(from); first < to; first = unplaced.nextClearBit(first)) {
            int next = unplaced.nextSetBit(first);
            int end = next < 0 || next > to ? to : next;
            while (first < end) {
                TaskPart part = ended.take(first, end - first);
                parts.add(part);
                first = part.end();
            }
        }
    }

    /** How many have ended how, of those that were not taken yet. */
    private static final class Ended {

        private int succeeded;
        private int failed;

        Ended(TaskGroup group) {
            succeeded = group.succeeded();
            failed = group.failed() - (seemsStarted(group) ? 1 : 0);
        }

        /** Whether others wait for all of these to start, and would not in a situation: there, what has failed had started. */
        private static boolean seemsStarted(TaskGroup group) {
            return group.failed() > 0
                    && group.stopped() == 0
                    && group.unplaced() == 0
                    && !group.has(TaskCondition.STARTED)
                    && group.placed().stream().allMatch(task -> task.startedAt() != null)
                    && group.dependents().stream().anyMatch(each -> each.condition() == TaskCondition.STARTED);
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
