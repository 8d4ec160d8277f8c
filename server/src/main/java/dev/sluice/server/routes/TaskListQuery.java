package dev.sluice.server.routes;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A page of the unfinished tasks of an application. The position is a task group (groups are only appended) and the
 * index of a task in it. A task that becomes unallocated between two steps is listed once, in its later state.
 */
final class TaskListQuery implements IncrementalQuery<TaskQueryResult> {

    /** Maximum number of tasks scanned per page: an application may have ten million. */
    static final int TASKS_MAX = 100_000;

    private final String partitionName;
    private final String id;
    private final @Nullable TaskState wanted;
    private final int limit;
    private final Function<RunRef, RunDetails> details;
    private final Map<String, TaskView> views = new LinkedHashMap<>();
    private @Nullable Application application;
    private boolean allocatedDone;
    private int group;
    private int index;
    private @Nullable BitSet unallocated; // within the group
    private long toSkip;
    private long passed;
    private int tasks;
    private boolean full;

    /**
     * Creates a query of this application.
     *
     * @param wanted only tasks in this state, or null for all
     * @param cursor the start of the page
     * @param details returns what is known of a run beside its state
     */
    TaskListQuery(
            String partitionName,
            String id,
            @Nullable TaskState wanted,
            TaskCursor cursor,
            int limit,
            Function<RunRef, RunDetails> details) {
        this.details = details;
        this.partitionName = partitionName;
        this.id = id;
        this.wanted = wanted;
        this.limit = limit;
        this.toSkip = cursor.passed();
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Application known = application;
        if (known == null) {
            Partition partition = context.state().partition(partitionName);
            known = partition == null ? null : partition.application(id);
            application = known;
        }
        if (known == null || toSkip == Long.MAX_VALUE || (wanted != null && wanted.isEnded())) {
            return true;
        }
        if (!allocatedDone) {
            if (!scanAllocated(known.groups(), budget)) {
                return false;
            }
            allocatedDone = true;
            group = 0;
            index = 0;
        }
        return full || scanUnallocated(known.groups(), budget);
    }

    /** Scans allocated tasks; returns whether all were scanned or the page is full. */
    private boolean scanAllocated(List<TaskGroup> groups, StepBudget budget) {
        for (; group < groups.size(); group++, index = 0) {
            if (!budget.take()) {
                return false;
            }
            TaskGroup current = groups.get(group);
            if (current.allocatedCount() == 0 || (index == 0 && skipIfBefore(current.allocatedCount()))) {
                continue;
            }
            for (Task task = current.nextAllocated(index); task != null; task = current.nextAllocated(index)) {
                if (!budget.take()) {
                    return false;
                }
                Task shown = task;
                if (!add(task.state(), task.id(), () -> view(shown, details.apply(shown.run())))) {
                    return true;
                }
                index = task.index() + 1;
            }
        }
        return true;
    }

    /** Returns the view of an allocated task. */
    static TaskView view(Task task, RunDetails details) {
        return Views.allocatedTask(task, details.text(), details.measured());
    }

    /** Scans unallocated tasks; returns whether all were scanned or the page is full. */
    private boolean scanUnallocated(List<TaskGroup> groups, StepBudget budget) {
        for (; group < groups.size(); group++, index = 0, unallocated = null) {
            if (!budget.take()) {
                return false;
            }
            TaskGroup current = groups.get(group);
            BitSet indexes = unallocated;
            if (indexes == null) {
                if (current.unallocated() == 0 || skipIfBefore(current.unallocated())) {
                    continue;
                }
                indexes = current.unallocatedIndexes();
                index = firstIndexAfterSkipped(indexes);
                unallocated = indexes;
            }
            for (int next = indexes.nextSetBit(index); next >= 0; next = indexes.nextSetBit(index)) {
                if (!budget.take()) {
                    return false;
                }
                int shown = next;
                TaskState state = current.isPending(next) ? TaskState.PENDING : TaskState.WAITING;
                if (!add(state, current.taskId(next), () -> Views.unallocatedTask(current, shown))) {
                    return true;
                }
                index = next + 1;
            }
        }
        return true;
    }

    /** Skips {@code count} tasks at once if the page starts after them. */
    private boolean skipIfBefore(int count) {
        if (toSkip < count) {
            return false;
        }
        toSkip -= count;
        passed += count;
        return true;
    }

    /**
     * Skips many of these indexes at once, but not all that precede the page; returns the first index not skipped. The
     * page starts among them.
     */
    private int firstIndexAfterSkipped(BitSet indexes) {
        long[] words = indexes.toLongArray();
        int word = 0;
        while (skipIfBefore(Long.bitCount(words[word]))) {
            word++;
        }
        return word * Long.SIZE;
    }

    /** Adds or skips a task; returns false if the page is full. */
    private boolean add(TaskState state, String task, Supplier<TaskView> view) {
        if (toSkip > 0) {
            toSkip--;
            passed++;
            return true;
        }
        if (views.size() == limit || tasks == TASKS_MAX) {
            full = true;
            return false;
        }
        tasks++;
        passed++;
        views.remove(task);
        if (wanted == null || wanted == state) {
            views.put(task, view.get());
        }
        return true;
    }

    @Override
    public TaskQueryResult answer() {
        Application known = application;
        return known == null
                ? TaskQueryResult.NONE
                : new TaskQueryResult(
                        new ArrayList<>(views.values()),
                        full ? TaskCursor.unfinished(passed) : null,
                        known.submitted());
    }
}
