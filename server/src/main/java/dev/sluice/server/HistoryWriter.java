package dev.sluice.server;

import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.server.view.Views;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Records the outcome of every application and task run. */
final class HistoryWriter implements HistoryRecorder {

    private final JsonMapper json;

    HistoryWriter(JsonMapper json) {
        this.json = json;
    }

    @Override
    public @Nullable HistoryRecord record(long sequence, Event event) {
        if (event instanceof TaskEvent.Ended ended) {
            return ended(sequence, ended);
        }
        if (event instanceof TaskEvent.Dropped dropped) {
            return dropped(
                    sequence, event, dropped.application(), dropped.task().id(), dropped.origin(), dropped.reason());
        }
        return event instanceof ApplicationEvent.TasksDropped dropped
                ? dropped(sequence, event, dropped.application(), dropped.tasks(), dropped.origin(), dropped.reason())
                : null;
    }

    @Override
    public HistoryRecord ended(
            long sequence, ApplicationEvent.StateChanged event, Partition partition, Application application) {
        return new HistoryRecord.FinishedApplication(
                sequence,
                event.partition(),
                event.application(),
                application.spec().name(),
                event.origin().queue(),
                event.origin().user(),
                event.to(),
                event.reason(),
                event.origin().submitted(),
                event.at(),
                json.writeValueAsString(Views.application(partition, application, Views.groups(application))));
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
}
