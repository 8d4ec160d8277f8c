package dev.sluice.server.routes;

import dev.sluice.core.application.TaskState;
import dev.sluice.core.explain.Looks;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.runtime.loop.Question;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A page of the tasks of an application that are alive. The position is a group, of which there only come more, and the index of a task in
 * it. A task that loses its place between two pieces is listed once, as it is later.
 */
final class TaskQuestion implements Question<TaskListing> {

    /** How many tasks are looked at for a page: those of an application may be ten million. */
    static final int TASKS_MAX = 100_000;

    private final String partitionName;
    private final String id;
    private final @Nullable TaskState wanted;
    private final int limit;
    private final Map<String, TaskView> views = new LinkedHashMap<>();
    private @Nullable Application application;
    private boolean placedDone;
    private int group;
    private int index;
    private @Nullable BitSet unplaced; // of the group
    private long toPass;
    private long passed;
    private int tasks;
    private boolean full;

    /**
     * Of this application.
     *
     * @param wanted only those in this state
     * @param cursor where the page begins
     */
    TaskQuestion(String partitionName, String id, @Nullable TaskState wanted, TaskCursor cursor, int limit) {
        this.partitionName = partitionName;
        this.id = id;
        this.wanted = wanted;
        this.limit = limit;
        this.toPass = cursor.passed();
    }

    @Override
    public boolean look(Desk desk, Looks looks) {
        Application known = application;
        if (known == null) {
            Partition partition = desk.state().partition(partitionName);
            known = partition == null ? null : partition.application(id);
            application = known;
        }
        if (known == null || toPass == Long.MAX_VALUE || (wanted != null && wanted.isEnded())) {
            return true;
        }
        if (!placedDone) {
            if (!lookAtPlaced(known.groups(), looks)) {
                return false;
            }
            placedDone = true;
            group = 0;
            index = 0;
        }
        return full || lookAtUnplaced(known.groups(), looks);
    }

    /** Looks at the tasks that hold a place; returns whether that was all of them, or the page is full. */
    private boolean lookAtPlaced(List<TaskGroup> groups, Looks looks) {
        for (; group < groups.size(); group++, index = 0) {
            if (!looks.take()) {
                return false;
            }
            TaskGroup current = groups.get(group);
            if (current.placedCount() == 0 || (index == 0 && skips(current.placedCount()))) {
                continue;
            }
            for (Task task = current.nextPlaced(index); task != null; task = current.nextPlaced(index)) {
                if (!looks.take()) {
                    return false;
                }
                Task shown = task;
                if (!add(task.state(), task.id(), () -> Views.standing(shown))) {
                    return true;
                }
                index = task.index() + 1;
            }
        }
        return true;
    }

    /** Looks at the tasks that hold no place; returns whether that was all of them, or the page is full. */
    private boolean lookAtUnplaced(List<TaskGroup> groups, Looks looks) {
        for (; group < groups.size(); group++, index = 0, unplaced = null) {
            if (!looks.take()) {
                return false;
            }
            TaskGroup current = groups.get(group);
            BitSet indexes = unplaced;
            if (indexes == null) {
                if (current.unplaced() == 0 || skips(current.unplaced())) {
                    continue;
                }
                indexes = current.unplacedIndexes();
                index = skipsOf(indexes);
                unplaced = indexes;
            }
            TaskState state = current.isWaiting() ? TaskState.WAITING : TaskState.PENDING;
            for (int next = indexes.nextSetBit(index); next >= 0; next = indexes.nextSetBit(index)) {
                if (!looks.take()) {
                    return false;
                }
                int shown = next;
                if (!add(state, current.taskId(next), () -> Views.unplaced(current, shown))) {
                    return true;
                }
                index = next + 1;
            }
        }
        return true;
    }

    /** Passes so many at once if the page begins after them. */
    private boolean skips(int count) {
        if (toPass < count) {
            return false;
        }
        toPass -= count;
        passed += count;
        return true;
    }

    /**
     * Passes many of these at once, but not all that come before the page; the index from which on they are left. The page begins
     * among them.
     */
    private int skipsOf(BitSet indexes) {
        long[] words = indexes.toLongArray();
        int word = 0;
        while (skips(Long.bitCount(words[word]))) {
            word++;
        }
        return word * Long.SIZE;
    }

    /** Adds a task, or passes it over; returns false if there is no room for it: the page is full. */
    private boolean add(TaskState state, String task, Supplier<TaskView> view) {
        if (toPass > 0) {
            toPass--;
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
    public TaskListing answer() {
        Application known = application;
        return known == null
                ? TaskListing.NONE
                : new TaskListing(
                        new ArrayList<>(views.values()), full ? TaskCursor.alive(passed) : null, known.submitted());
    }
}
