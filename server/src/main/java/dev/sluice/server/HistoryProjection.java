package dev.sluice.server;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.loop.HistoryRecordSource;
import dev.sluice.server.view.Views;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Records the outcome of every application and task run.
 *
 * <p>The state forgets a run when it ends, so this class keeps the placement of every allocated task: its memory grows
 * with their number.
 */
final class HistoryProjection implements HistoryRecordSource {

    private final JsonMapper json;
    private final Map<TaskKey, Task> activeTasks = new HashMap<>();

    /** Key of a run: a task has at most one at a time. */
    private record TaskKey(String partition, String application, String task, int index) {}

    /** Creates a projection that continues from this state. */
    HistoryProjection(JsonMapper json, SchedulerState state) {
        this.json = json;
        for (Partition partition : state.partitions()) {
            for (Node node : partition.nodes()) {
                for (Task task : node.tasks()) {
                    activeTasks.put(
                            new TaskKey(
                                    partition.name(),
                                    task.application().id(),
                                    task.group().name(),
                                    task.index()),
                            task);
                }
            }
        }
    }

    @Override
    public @Nullable HistoryRecord project(long sequence, Event event, SchedulerState state) {
        if (event instanceof TaskEvent task) {
            return ofTask(sequence, task, state);
        }
        if (event instanceof ApplicationEvent.StateChanged changed
                && changed.to().isEnded()
                && changed.to() != ApplicationState.EXPIRED) {
            return finished(sequence, changed, state);
        }
        return event instanceof ApplicationEvent.TasksDropped dropped
                ? dropped(sequence, event, dropped.application(), dropped.tasks(), dropped.reason(), state)
                : null;
    }

    private @Nullable HistoryRecord ofTask(long sequence, TaskEvent event, SchedulerState state) {
        if (event instanceof TaskEvent.Placed) {
            // no command or cycle both places and ends a run, so the current state still has this placement
            TaskGroup group = group(state, event.partition(), event.application(), event.task());
            Task task = group == null ? null : group.placed(event.index());
            if (task != null) {
                activeTasks.put(run(event), task);
            }
            return null;
        }
        if (event instanceof TaskEvent.Ended ended) {
            Task task = activeTasks.remove(run(event));
            return task == null ? null : ended(sequence, ended, task);
        }
        if (event instanceof TaskEvent.Dropped dropped) {
            TaskGroup group = group(state, event.partition(), event.application(), event.task());
            String id = group == null ? event.task() : group.taskId(event.index());
            return dropped(sequence, event, event.application(), id, dropped.reason(), state);
        }
        return null;
    }

    private static TaskKey run(TaskEvent event) {
        return new TaskKey(event.partition(), event.application(), event.task(), event.index());
    }

    private static @Nullable TaskGroup group(
            SchedulerState state, String partitionName, String application, String tasks) {
        Partition partition = state.partition(partitionName);
        Application found = partition == null ? null : partition.application(application);
        return found == null ? null : found.group(tasks);
    }

    private static HistoryRecord.TaskEnd ended(long sequence, TaskEvent.Ended event, Task task) {
        return new HistoryRecord.TaskEnd(
                sequence,
                event.partition(),
                event.application(),
                task.application().submitted(),
                task.id(),
                task.attempt(),
                task.node().name(),
                task.placedAt(),
                task.startedAt(),
                event.at(),
                event.outcome(),
                event.exitCode(),
                event.detail(),
                event.again());
    }

    private static HistoryRecord.@Nullable TaskEnd dropped(
            long sequence, Event event, String application, String task, String reason, SchedulerState state) {
        Partition partition = state.partition(event.partition());
        Application found = partition == null ? null : partition.application(application);
        return found == null
                ? null
                : new HistoryRecord.TaskEnd(
                        sequence,
                        event.partition(),
                        application,
                        found.submitted(),
                        task,
                        0,
                        null,
                        null,
                        null,
                        event.at(),
                        TaskOutcome.STOPPED,
                        null,
                        reason,
                        false);
    }

    private @Nullable HistoryRecord finished(
            long sequence, ApplicationEvent.StateChanged changed, SchedulerState state) {
        Partition partition = state.partition(changed.partition());
        Application application = partition == null ? null : partition.application(changed.application());
        if (partition == null || application == null) {
            return null;
        }
        return new HistoryRecord.FinishedApplication(
                sequence,
                changed.partition(),
                application.id(),
                application.spec().name(),
                application.hasQueue() ? application.queue().path() : "",
                application.spec().user(),
                changed.to(),
                changed.reason(),
                application.submitted(),
                changed.at(),
                json.writeValueAsString(Views.application(partition, application, Views.groups(application))));
    }
}
