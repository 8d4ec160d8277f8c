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
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.KeepsakeSource;
import dev.sluice.server.view.Views;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Has kept what became of every application and of every run of a task that ends.
 *
 * <p>When a run has ended the state knows nothing of it any more, so the tasks that stand on nodes are noted when they are placed:
 * as many as there are of them.
 */
final class History implements KeepsakeSource {

    private final JsonMapper json;
    private final Map<Run, Task> standing = new HashMap<>();

    /** A run, by its task: there is one at a time. */
    private record Run(String partition, String application, String task, int index) {}

    /** A history that goes on from this state. */
    History(JsonMapper json, SchedulerState state) {
        this.json = json;
        for (Partition partition : state.partitions()) {
            for (Node node : partition.nodes()) {
                for (Task task : node.tasks()) {
                    standing.put(
                            new Run(
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
    public @Nullable Keepsake keepsakeOf(long sequence, Event event, SchedulerState state) {
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

    private @Nullable Keepsake ofTask(long sequence, TaskEvent event, SchedulerState state) {
        if (event instanceof TaskEvent.Placed) {
            // nothing is placed and ended by one command or cycle, so what stands now is what was placed
            TaskGroup group = group(state, event.partition(), event.application(), event.task());
            Task task = group == null ? null : group.placed(event.index());
            if (task != null) {
                standing.put(run(event), task);
            }
            return null;
        }
        if (event instanceof TaskEvent.Ended ended) {
            Task task = standing.remove(run(event));
            return task == null ? null : ended(sequence, ended, task);
        }
        if (event instanceof TaskEvent.Dropped dropped) {
            TaskGroup group = group(state, event.partition(), event.application(), event.task());
            String id = group == null ? event.task() : group.taskId(event.index());
            return dropped(sequence, event, event.application(), id, dropped.reason(), state);
        }
        return null;
    }

    private static Run run(TaskEvent event) {
        return new Run(event.partition(), event.application(), event.task(), event.index());
    }

    private static @Nullable TaskGroup group(
            SchedulerState state, String partitionName, String application, String tasks) {
        Partition partition = state.partition(partitionName);
        Application found = partition == null ? null : partition.application(application);
        return found == null ? null : found.group(tasks);
    }

    private static Keepsake.TaskEnd ended(long sequence, TaskEvent.Ended event, Task task) {
        return new Keepsake.TaskEnd(
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

    private static Keepsake.@Nullable TaskEnd dropped(
            long sequence, Event event, String application, String task, String reason, SchedulerState state) {
        Partition partition = state.partition(event.partition());
        Application found = partition == null ? null : partition.application(application);
        return found == null
                ? null
                : new Keepsake.TaskEnd(
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

    private @Nullable Keepsake finished(long sequence, ApplicationEvent.StateChanged changed, SchedulerState state) {
        Partition partition = state.partition(changed.partition());
        Application application = partition == null ? null : partition.application(changed.application());
        if (partition == null || application == null) {
            return null;
        }
        return new Keepsake.FinishedApplication(
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
