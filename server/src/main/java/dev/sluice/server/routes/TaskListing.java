package dev.sluice.server.routes;

import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.view.Views;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the tasks of an application that are alive: those that stand on nodes, then those that wait.
 *
 * @param next where the next page begins; null if all that are alive were shown
 * @param submitted when the application was submitted
 */
record TaskListing(List<TaskView> views, @Nullable TaskCursor next, Instant submitted) {

    /** How many tasks are looked at for a page: those of an application may be ten million. */
    static final int LOOKS_MAX = 100_000;

    /** Of an application that the scheduler does not know. */
    static final TaskListing NONE = new TaskListing(List.of(), null, Instant.EPOCH);

    static TaskListing of(Application application, @Nullable TaskState wanted, TaskCursor cursor, int limit) {
        if (cursor.passed() == Long.MAX_VALUE || (wanted != null && wanted.isEnded())) {
            return new TaskListing(List.of(), null, application.submitted());
        }
        Page page = new Page(cursor.passed(), limit, wanted);
        for (TaskGroup group : application.groups()) {
            for (Task task : group.placed()) {
                if (!page.add(task.state(), () -> Views.standing(task))) {
                    return page.listing(application);
                }
            }
        }
        for (TaskGroup group : application.groups()) {
            if (group.unplaced() > 0 && !addUnplaced(page, group)) {
                return page.listing(application);
            }
        }
        return new TaskListing(page.views, null, application.submitted());
    }

    private static boolean addUnplaced(Page page, TaskGroup group) {
        TaskState state = group.isWaiting() ? TaskState.WAITING : TaskState.PENDING;
        if (page.skips(group.unplaced())) {
            return true;
        }
        BitSet indexes = group.unplacedIndexes();
        int first = page.skipsOf(indexes);
        for (int index = indexes.nextSetBit(first); index >= 0; index = indexes.nextSetBit(index + 1)) {
            int at = index;
            if (!page.add(state, () -> Views.unplaced(group, at))) {
                return false;
            }
        }
        return true;
    }

    /** A page that is being filled. */
    private static final class Page {

        private final List<TaskView> views = new ArrayList<>();
        private final @Nullable TaskState wanted;
        private final int limit;
        private long toPass;
        private long passed;
        private int looks;

        Page(long toPass, int limit, @Nullable TaskState wanted) {
            this.toPass = toPass;
            this.limit = limit;
            this.wanted = wanted;
        }

        /** Passes so many at once if the page begins after them. */
        boolean skips(int tasks) {
            if (toPass < tasks) {
                return false;
            }
            toPass -= tasks;
            passed += tasks;
            return true;
        }

        /**
         * Passes many of these at once, but not all that come before the page; the index from which on they are left. The page begins
         * among them.
         */
        int skipsOf(BitSet indexes) {
            long[] words = indexes.toLongArray();
            int word = 0;
            while (skips(Long.bitCount(words[word]))) {
                word++;
            }
            return word * Long.SIZE;
        }

        /** Adds a task, or passes it over; returns false if there is no room for it. */
        boolean add(TaskState state, java.util.function.Supplier<TaskView> view) {
            if (toPass > 0) {
                toPass--;
                passed++;
                return true;
            }
            if (views.size() == limit || looks == LOOKS_MAX) {
                return false;
            }
            looks++;
            passed++;
            if (wanted == null || wanted == state) {
                views.add(view.get());
            }
            return true;
        }

        TaskListing listing(Application application) {
            return new TaskListing(views, TaskCursor.alive(passed), application.submitted());
        }
    }
}
