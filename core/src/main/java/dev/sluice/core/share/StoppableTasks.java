package dev.sluice.core.share;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The tasks that a rebalance may stop: those whose workers become idle when they stop. */
final class StoppableTasks {

    /** The most recently started first: (not started yet, start, placement), each descending. */
    private static final Comparator<Task> MOST_RECENT = Comparator.comparing(StoppableTasks::start)
            .thenComparingLong(Task::sequence)
            .reversed();

    private StoppableTasks() {}

    /**
     * Those of all applications below this queue, the most recently started first; without those that are being stopped already. Looks
     * at each task, so it is made only to rebalance.
     */
    static List<Task> below(Queue queue) {
        List<Task> tasks = new ArrayList<>();
        collect(queue, tasks);
        tasks.removeIf(task -> task.stopReason() != null || !task.node().isReady());
        tasks.sort(MOST_RECENT);
        return tasks;
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
