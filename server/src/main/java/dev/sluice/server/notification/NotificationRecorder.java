package dev.sluice.server.notification;

import dev.sluice.config.notification.NotificationKind;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.server.view.EventViews;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds the notifications of events to the records of another recorder. */
final class NotificationRecorder implements HistoryRecorder {

    private final HistoryRecorder historyRecords;
    private final List<TargetDelivery> targets;

    NotificationRecorder(HistoryRecorder historyRecords, List<TargetDelivery> targets) {
        this.historyRecords = historyRecords;
        this.targets = targets;
    }

    @Override
    public List<HistoryRecord> record(long sequence, Cause cause, Event event, SchedulerState state) {
        List<HistoryRecord> own = historyRecords.record(sequence, cause, event, state);
        NotificationKind kind = kind(event);
        if (kind == null) {
            return own;
        }
        List<HistoryRecord> all = own;
        String name = name(event, state);
        ApplicationOrigin origin = origin(event);
        NotificationContent content = null;
        for (TargetDelivery target : targets) {
            if (target.target().wants(kind, origin.queue(), origin.user(), name) && target.admit()) {
                if (content == null) {
                    content = NotificationContent.of(kind, name, EventViews.of(sequence, cause, event));
                    all = new ArrayList<>(own);
                }
                all.add(new HistoryRecord.Notification(
                        sequence, target.target().name(), content.id(), event.at(), content.json()));
            }
        }
        return all;
    }

    private static @Nullable NotificationKind kind(Event event) {
        if (event instanceof TaskEvent.Ended ended) {
            boolean failed = ended.outcome().isOwnFailure() || ended.outcome() == TaskOutcome.LOST;
            return failed && !ended.again() ? NotificationKind.TASK_FAILED : null;
        }
        if (event instanceof ApplicationEvent.StateChanged changed) {
            return changed.to() == ApplicationState.COMPLETED
                    ? NotificationKind.APPLICATION_COMPLETED
                    : changed.to() == ApplicationState.FAILED || changed.to() == ApplicationState.REJECTED
                            ? NotificationKind.APPLICATION_FAILED
                            : null;
        }
        return null;
    }

    private static ApplicationOrigin origin(Event event) {
        return event instanceof TaskEvent task ? task.origin() : ((ApplicationEvent) event).origin();
    }

    private static String name(Event event, SchedulerState state) {
        String id = event instanceof TaskEvent task ? task.application() : ((ApplicationEvent) event).application();
        Partition partition = state.partition(event.partition());
        Application application = partition == null ? null : partition.application(id);
        return application == null ? id : application.spec().name();
    }
}
