package dev.sluice.cli.run;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.local.RunListener;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Translates the events of a run into calls of a view. */
public final class Progress implements RunListener {

    private final ProgressView view;
    private final LoadClassCounter loadClasses;
    private final Map<ApplicationId, Instant> firstStarted = new HashMap<>();

    private record ApplicationId(String partition, String application) {}

    public Progress(ProgressView view) {
        this.view = view;
        this.loadClasses = new LoadClassCounter(view);
    }

    /** Returns the current load classes of all partitions; empty without share policy load. */
    public List<LoadClassProgress> loadClasses() {
        return loadClasses.classes();
    }

    @Override
    public void decided(List<Event> events, SchedulerState state) {
        for (Event event : events) {
            if (event instanceof TaskEvent task) {
                decided(task, state);
            } else if (event instanceof ApplicationEvent.StateChanged changed) {
                ApplicationProgress progress = progress(changed, changed.application(), state);
                if (progress != null) {
                    view.applicationChanged(progress, changed.to(), changed.reason());
                }
            }
        }
        loadClasses.decided(events, state);
    }

    private void decided(TaskEvent event, SchedulerState state) {
        if (event instanceof TaskEvent.Placed placed) {
            firstStarted.putIfAbsent(new ApplicationId(placed.partition(), placed.application()), placed.at());
            ApplicationProgress progress = progress(placed, placed.application(), state);
            if (progress != null) {
                view.taskStarted(progress, placed.task().id(), placed.node());
            }
        } else if (event instanceof TaskEvent.Ended ended) {
            ApplicationProgress progress = progress(ended, ended.application(), state);
            if (progress != null) {
                boolean bad = ended.outcome().isOwnFailure() || ended.outcome() == TaskOutcome.LOST;
                view.taskEnded(progress, ended.task().id(), how(ended), bad);
            }
        }
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

    private @Nullable ApplicationProgress progress(Event event, String id, SchedulerState state) {
        Partition partition = state.partition(event.partition());
        Application application = partition == null ? null : partition.application(id);
        return application == null
                ? null
                : new ApplicationProgress(
                        id,
                        application.hasQueue() ? application.queue().path() : "",
                        application.state(),
                        application.tasks(),
                        application.placed(),
                        application.succeeded(),
                        application.failed(),
                        application.stopped(),
                        firstStarted.get(new ApplicationId(event.partition(), id)),
                        event.at());
    }
}
