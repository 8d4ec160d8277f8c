package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.local.RunJournal.RecordedBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives the journal of a run in which no task has failed, so that tasks that have not succeeded run again: their runs
 * ended as if preempted, which uses no retry; nothing was dropped; and their applications have not ended.
 */
final class Rerun {

    private final Set<TaskRef> succeeded = new HashSet<>();

    /** Applications that completed or were rejected: nothing of them runs again. */
    private final Set<ApplicationRef> settled = new HashSet<>();

    /** Applications one of whose left-out states has been passed. */
    private final Set<ApplicationRef> cut = new HashSet<>();

    private Rerun() {}

    /** Returns the derived journal. */
    static List<RecordedBatch> of(List<RecordedBatch> batches) {
        Rerun rerun = new Rerun();
        batches.forEach(batch -> batch.entries().forEach(entry -> entry.events().forEach(rerun::collect)));
        List<RecordedBatch> derived = new ArrayList<>();
        for (RecordedBatch batch : batches) {
            List<JournalEntry> entries = new ArrayList<>();
            for (JournalEntry entry : batch.entries()) {
                List<Event> events = new ArrayList<>();
                for (Event event : entry.events()) {
                    Event changed = rerun.changed(event);
                    if (changed != null) {
                        events.add(changed);
                    }
                }
                if (!events.isEmpty()) {
                    entries.add(new JournalEntry(entry.cause(), events));
                }
            }
            derived.add(new RecordedBatch(batch.at(), entries));
        }
        return derived;
    }

    private void collect(Event event) {
        if (event instanceof TaskEvent.Ended ended && ended.outcome() == TaskOutcome.SUCCEEDED) {
            succeeded.add(ended.task());
        } else if (event instanceof ApplicationEvent.StateChanged changed
                && (changed.to() == ApplicationState.COMPLETED || changed.to() == ApplicationState.REJECTED)) {
            settled.add(new ApplicationRef(changed.partition(), changed.application()));
        }
    }

    /** Returns the event as it is in the derived journal, or null if it is left out. */
    private @Nullable Event changed(Event event) {
        if (event instanceof TaskEvent task) {
            return changed(task);
        }
        if (event instanceof ApplicationEvent.TasksDropped) {
            return null;
        }
        return event instanceof ApplicationEvent.StateChanged state && isCut(state) ? null : event;
    }

    private @Nullable Event changed(TaskEvent event) {
        if (succeeded.contains(event.task())) {
            return event;
        }
        if (event instanceof TaskEvent.Ended ended) {
            return new TaskEvent.Ended(
                    ended.allocation(), TaskOutcome.STOPPED, ended.exitCode(), ended.detail(), true, ended.at());
        }
        boolean isLeftOut = event instanceof TaskEvent.Dropped
                || event instanceof TaskEvent.RetryDue
                || (event instanceof TaskEvent.Stopping stopping
                        && !stopping.reason().runsAgain());
        return isLeftOut ? null : event;
    }

    /** Returns whether this or an earlier state of the application is left out. */
    private boolean isCut(ApplicationEvent.StateChanged changed) {
        ApplicationRef application = new ApplicationRef(changed.partition(), changed.application());
        boolean isKept = switch (changed.to()) {
            case NEW, ACCEPTED, STARTING, RUNNING -> true;
            case REJECTED, COMPLETING, COMPLETED, FAILING, FAILED, EXPIRED, RESUMING -> false;
        };
        if (!isKept && !settled.contains(application)) {
            cut.add(application);
        }
        return cut.contains(application);
    }
}
