package dev.sluice.core.share;

import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What stands on nodes below a queue, as far as rebalancing goes.
 *
 * @param stoppable the tasks whose workers become idle when they stop, the most recently started first: (not started yet, start, placement),
 *     each descending
 * @param stopping how many tasks hold a place and are being stopped already
 */
record StandingTasks(List<Task> stoppable, int stopping) {

    private static final Comparator<Task> MOST_RECENT = Comparator.comparing(StandingTasks::start)
            .thenComparingLong(Task::sequence)
            .reversed();

    /** The tasks of all applications below this queue. Looks at each of them, so it is made only to rebalance. */
    static StandingTasks below(Queue queue) {
        List<Task> tasks = new ArrayList<>();
        collect(queue, tasks);
        int stopping = (int) tasks.stream()
                .filter(task -> task.state() == TaskState.STOPPING)
                .count();
        tasks.removeIf(task -> task.stopReason() != null || !task.node().isReady());
        tasks.sort(MOST_RECENT);
        return new StandingTasks(tasks, stopping);
    }

    private static Instant start(Task task) {
        Instant started = task.startedAt();
        return started == null ? Instant.MAX : started;
    }

    private static void collect(Queue queue, List<Task> tasks) {
        queue.children().forEach(child -> collect(child, tasks));
        for (Application application : queue.applications()) {
            for (TaskGroup group : application.groups()) {
                tasks.addAll(group.placed());
            }
        }
    }
}
