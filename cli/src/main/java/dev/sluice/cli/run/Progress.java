package dev.sluice.cli.run;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.local.ApplicationTallies;
import dev.sluice.runtime.local.ApplicationTally;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Translates the events of a run into calls of a view. */
public final class Progress implements Projection {

    private static final Duration ESTIMATE_INTERVAL = Duration.ofSeconds(1);

    private final ProgressView view;
    private final ApplicationTallies tallies = new ApplicationTallies();
    private final LoadClassCounter loadClasses;
    private final RunLogs logs;
    private final RemainingTime remaining = new RemainingTime();
    private Instant nextEstimate = Instant.MIN;

    /** @param logs know the events before this projection receives them */
    public Progress(ProgressView view, RunLogs logs) {
        this.view = view;
        this.logs = logs;
        this.loadClasses = new LoadClassCounter(view, tallies);
    }

    /** Returns the current load classes of all partitions; empty without share policy load. */
    public List<LoadClassProgress> loadClasses() {
        return loadClasses.classes();
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                ApplicationTally tally = tallies.count(event);
                if (tally != null) {
                    remaining.count(event, tally);
                    show(event, ApplicationProgress.of(tally, event.at()));
                }
            }
        }
        loadClasses.committed(first, entries);
        if (!entries.isEmpty()) {
            List<Event> last = entries.get(entries.size() - 1).events();
            estimate(last.get(last.size() - 1).at());
        }
    }

    private void estimate(Instant now) {
        if (now.isBefore(nextEstimate)) {
            return;
        }
        nextEstimate = now.plus(ESTIMATE_INTERVAL);
        Instant end = remaining.end(now);
        if (end != null) {
            long tasks = 0;
            long ended = 0;
            for (ApplicationTally tally : tallies.all()) {
                tasks += tally.tasks();
                ended += tally.succeeded() + tally.failed() + tally.stopped();
            }
            view.estimated(new RunEstimate(now, end, ended, tasks));
        }
    }

    private void show(Event event, ApplicationProgress progress) {
        if (event instanceof TaskEvent.Placed placed) {
            view.taskStarted(progress, placed.task().id(), placed.node());
        } else if (event instanceof TaskEvent.Stopping stopping) {
            if (stopping.reason().isPreemption() && stopping.reason() != StopReason.REBALANCE) {
                view.taskPreempted(progress, stopping.task().id(), how(stopping));
            }
        } else if (event instanceof TaskEvent.Ended ended) {
            boolean bad = ended.outcome().isOwnFailure() || ended.outcome() == TaskOutcome.LOST;
            view.taskEnded(
                    progress, new TaskEnd(ended.task().id(), how(ended), bad, ended.again(), logs.file(ended.task())));
        } else if (event instanceof ApplicationEvent.StateChanged changed && changed.to() != ApplicationState.EXPIRED) {
            view.applicationChanged(progress, changed.to(), changed.reason());
        }
    }

    private static String how(TaskEvent.Stopping stopping) {
        TaskRef beneficiary = stopping.beneficiary();
        return "preempted (" + stopping.reason().wireName() + ")"
                + (beneficiary == null ? "" : " for " + beneficiary.application() + "/" + beneficiary.id());
    }

    private static String how(TaskEvent.Ended ended) {
        String detail = ended.detail().isEmpty() ? "" : ": " + ended.detail();
        String outcome = switch (ended.outcome()) {
            case SUCCEEDED -> "succeeded";
            case FAILED -> "failed" + detail;
            case TIMED_OUT -> "failed: timed out";
            case LOST -> "lost" + detail;
            case STOPPED -> "stopped";
        };
        return outcome + (ended.again() ? "; will be retried" : "");
    }
}
