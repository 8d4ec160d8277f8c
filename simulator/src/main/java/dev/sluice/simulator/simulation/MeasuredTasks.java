package dev.sluice.simulator.simulation;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.RunStart;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.simulator.measure.Measurements;
import dev.sluice.simulator.measure.TaskGroupRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Follows the events of a simulation and notifies the measurements. Knows the durations of the tasks. */
final class MeasuredTasks implements Projection {

    private final Measurements measurements;
    private final LiveApplications alive = new LiveApplications();
    private long events;
    private long applicationsEnded;
    private long lastEndMillis;

    /**
     * Creates a projection of a simulation in which nothing has been submitted.
     *
     * @param events the number of events so far
     */
    MeasuredTasks(Measurements measurements, long events, long beginMillis) {
        this.measurements = measurements;
        this.events = events;
        this.lastEndMillis = beginMillis;
    }

    /** Returns the number of events. */
    long events() {
        return events;
    }

    /** Whether any application has not ended. */
    boolean hasActiveApplications() {
        return alive.size() > 0;
    }

    long applicationsEnded() {
        return applicationsEnded;
    }

    /**
     * Returns the last end of a run, successful or not; the end of the simulation if a task was running then; its begin
     * if none ever ran.
     */
    long lastEndMillis() {
        return lastEndMillis;
    }

    /** Returns how long a run takes. */
    long durationMillis(RunStart start) {
        return group(start.run().task()).durationMillis;
    }

    /** Records that an application was accepted; its tasks run for these durations. Its events follow. */
    void submitted(Partition partition, Application application, List<Duration> durations, long nowMillis) {
        LiveApplication live = new LiveApplication(partition, application, nowMillis);
        List<TaskGroupRecorder> recorders = measurements.submitted(partition, application);
        List<TaskGroup> groups = application.groups();
        for (int i = 0; i < groups.size(); i++) {
            TaskGroup group = groups.get(i);
            LiveGroup added = new LiveGroup(
                    live, group, recorders.get(i), durations.get(i).toMillis());
            added.recorder.submitted(group.kind().size());
            live.add(added);
        }
        alive.put(partition.name(), live);
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            events += entry.events().size();
            for (Event event : entry.events()) {
                measure(event);
            }
        }
    }

    private void measure(Event event) {
        if (event instanceof TaskEvent.Placed placed) {
            placed(placed);
        } else if (event instanceof TaskEvent.Released released) {
            started(group(released.task()), released.run(), released.at());
        } else if (event instanceof TaskEvent.Stopping stop) {
            stopping(stop);
        } else if (event instanceof TaskEvent.Ended ended) {
            ended(ended);
        } else if (event instanceof TaskEvent.Dropped dropped) {
            drop(group(dropped.task()), 1);
        } else if (event instanceof ApplicationEvent.TasksDropped dropped) {
            LiveGroup group = live(dropped.partition(), dropped.application()).group(dropped.tasks());
            drop(group, group.waiting);
        } else if (event instanceof ApplicationEvent.StateChanged change) {
            changed(change);
        } else if (event instanceof ApplicationEvent.GangStarted gang) {
            measurements.gangStarted(
                    seconds(gang.at().toEpochMilli() - gang.waitingSince().toEpochMilli()));
        } else if (event instanceof ApplicationEvent.GangTimedOut) {
            measurements.gangTimedOut();
        }
    }

    private void placed(TaskEvent.Placed event) {
        LiveGroup group = group(event.task());
        group.waiting--;
        group.recorder.placed();
        if (!event.reserved()) {
            started(group, event.run(), event.at());
        }
    }

    private static void started(LiveGroup group, RunRef run, Instant at) {
        group.recorder.started();
        if (group.firstStarted(run)) {
            group.recorder.firstStarted(seconds(at.toEpochMilli() - group.application.submittedMillis));
        }
    }

    /** Counts a started run that is to be stopped, for which nobody asks twice; a reserved one has nothing to stop. */
    private void stopping(TaskEvent.Stopping event) {
        Instant started = event.allocation().started();
        if (started != null) {
            double ranSeconds = seconds(event.at().toEpochMilli() - started.toEpochMilli());
            group(event.task()).recorder.stopped(event.reason(), ranSeconds);
        }
    }

    private void ended(TaskEvent.Ended event) {
        LiveGroup group = group(event.task());
        Allocation allocation = event.allocation();
        Instant started = allocation.started();
        lastEndMillis = event.at().toEpochMilli();
        group.recorder.occupied(seconds(lastEndMillis - allocation.placed().toEpochMilli()));
        if (started == null) {
            group.endedBeforeStart(event.run());
        }
        double ranSeconds = started == null ? 0 : seconds(lastEndMillis - started.toEpochMilli());
        if (event.outcome() == TaskOutcome.SUCCEEDED) {
            group.recorder.succeeded(seconds(lastEndMillis - group.application.submittedMillis), ranSeconds);
        } else if (event.again()) {
            group.waiting++;
            group.recorder.requeued();
            measurements.lost(ranSeconds);
        } else {
            group.recorder.failed(1);
        }
    }

    private static void drop(LiveGroup group, long tasks) {
        group.waiting -= tasks;
        group.recorder.dropped(tasks);
    }

    private void changed(ApplicationEvent.StateChanged change) {
        if (change.to().isEnded() && change.to() != ApplicationState.EXPIRED) {
            LiveApplication live = alive.remove(change.partition(), change.application());
            if (live != null) { // a rejected application was never alive
                live.groups().forEach(group -> measurements.forget(live.partition, group.recorder));
                applicationsEnded++;
            }
        }
    }

    /** Counts the running and the never started tasks of this partition at the end of the simulation. */
    void finish(Partition partition, long nowMillis) {
        for (LiveApplication live : alive.in(partition.name())) {
            for (LiveGroup group : live.groups()) {
                long reserved = 0;
                for (Task task : group.group.placed()) {
                    lastEndMillis = nowMillis;
                    double seconds = seconds(nowMillis - task.placedAt().toEpochMilli());
                    if (task.isReserved()) {
                        group.recorder.occupied(seconds);
                        reserved++;
                    } else {
                        group.recorder.stillRunning(seconds);
                    }
                }
                long unstarted = (long) group.group.kind().size() - group.startedOnce();
                group.recorder.neverStarted(
                        Math.min(group.waiting + reserved, unstarted), seconds(nowMillis - live.submittedMillis));
            }
        }
    }

    private LiveGroup group(TaskRef task) {
        return live(task.partition(), task.application()).group(task.task());
    }

    private LiveApplication live(String partition, String application) {
        LiveApplication live = alive.get(partition, application);
        if (live == null) {
            throw new IllegalStateException("unknown application " + application);
        }
        return live;
    }

    private static double seconds(long millis) {
        return millis / 1000.0;
    }
}
