package dev.sluice.server;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.loop.HistoryRecordSource;
import dev.sluice.server.view.Views;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Records the outcome of every application and task run. */
final class HistoryProjection implements HistoryRecordSource {

    private final JsonMapper json;

    HistoryProjection(JsonMapper json) {
        this.json = json;
    }

    @Override
    public @Nullable HistoryRecord project(long sequence, Event event, SchedulerState state) {
        if (event instanceof TaskEvent.Ended ended) {
            return ended(sequence, ended);
        }
        if (event instanceof TaskEvent.Dropped dropped) {
            return dropped(
                    sequence, event, dropped.application(), dropped.task().id(), dropped.origin(), dropped.reason());
        }
        if (event instanceof ApplicationEvent.TasksDropped dropped) {
            return dropped(sequence, event, dropped.application(), dropped.tasks(), dropped.origin(), dropped.reason());
        }
        return event instanceof ApplicationEvent.StateChanged changed
                        && changed.to().isEnded()
                        && changed.to() != ApplicationState.EXPIRED
                ? finished(sequence, changed, state)
                : null;
    }

    private static HistoryRecord.TaskEnd ended(long sequence, TaskEvent.Ended event) {
        Allocation allocation = event.allocation();
        return new HistoryRecord.TaskEnd(
                sequence,
                event.partition(),
                event.application(),
                event.origin().submitted(),
                event.task().id(),
                event.run().attempt(),
                allocation.node(),
                allocation.placed(),
                allocation.started(),
                event.at(),
                event.outcome(),
                event.exitCode(),
                event.detail(),
                event.again());
    }

    private static HistoryRecord.TaskEnd dropped(
            long sequence, Event event, String application, String task, ApplicationOrigin origin, String reason) {
        return new HistoryRecord.TaskEnd(
                sequence,
                event.partition(),
                application,
                origin.submitted(),
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

    /** The state forgets an application after its end, so its document is written when it ends. */
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
                changed.application(),
                application.spec().name(),
                changed.origin().queue(),
                changed.origin().user(),
                changed.to(),
                changed.reason(),
                changed.origin().submitted(),
                changed.at(),
                json.writeValueAsString(Views.application(partition, application, Views.groups(application))));
    }
}
