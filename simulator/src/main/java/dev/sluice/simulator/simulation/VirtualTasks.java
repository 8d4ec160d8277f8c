package dev.sluice.simulator.simulation;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Command;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.simulator.measure.Measurements;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a simulation: follows what the engine decides about them, knows when those that run will end, and tells the measurements.
 *
 * <p>What is to be reported to the engine because of its decisions is kept until all of them were followed: a decision may speak of what
 * another one, later in the same list, has made.
 */
final class VirtualTasks {

    /** How many times in a row tasks may be rebalanced without any task ending for good or anything being submitted. */
    static final int FRUITLESS_REBALANCES_MAX = 100;

    private static final Comparator<SimulatedRun> BY_END =
            Comparator.comparingLong((SimulatedRun run) -> run.endsMillis).thenComparingLong(run -> run.sequence);

    private final Measurements measurements;
    private final LiveApplications alive = new LiveApplications();
    private final RankedHeap<SimulatedRun> ends = new RankedHeap<>(BY_END);
    private final Deque<SimulatedRun> started = new ArrayDeque<>();
    private final Deque<SimulatedRun> stopped = new ArrayDeque<>();
    private final Deque<Command> forgettable = new ArrayDeque<>();
    private long runs;
    private long applicationsEnded;
    private long lastEndMillis;
    private int fruitlessRebalances;

    VirtualTasks(Measurements measurements, long beginMillis) {
        this.measurements = measurements;
        this.lastEndMillis = beginMillis;
    }

    /** Whether any application has not ended. */
    boolean hasActiveApplications() {
        return alive.size() > 0;
    }

    /**
     * Whether it would go on like this for ever unless something were submitted: classes take workers back again and again for tasks that
     * fit nowhere, so what runs is stopped each time before it ends, and begins anew.
     */
    boolean isLivelocked() {
        return fruitlessRebalances >= FRUITLESS_REBALANCES_MAX;
    }

    long applicationsEnded() {
        return applicationsEnded;
    }

    /** When the last run ended, however it did; when the simulation ended, if some run then; when it began, if none ever did. */
    long lastEndMillis() {
        return lastEndMillis;
    }

    /** How many tasks run. */
    long running() {
        return ends.elements().size();
    }

    /** When the next task ends by itself; never: {@link Long#MAX_VALUE}. */
    long nextEndMillis() {
        SimulatedRun first = ends.first();
        return first == null ? Long.MAX_VALUE : first.endsMillis;
    }

    /** The next run that has ended by itself by now, or null. */
    @Nullable SimulatedRun nextEnded(long nowMillis) {
        SimulatedRun first = ends.first();
        if (first == null || first.endsMillis > nowMillis) {
            return null;
        }
        ends.remove(first);
        return first;
    }

    /**
     * What the engine is to be told next because of what it has decided, or null: runs that have started first, then those that were told
     * to stop and have, then applications that are over and need not be remembered.
     */
    @Nullable Command nextCommand() {
        SimulatedRun begun = started.poll();
        if (begun != null) {
            return new Command.ReportTaskStarted(
                    begun.partition(), begun.applicationId(), begun.taskId(), begun.attempt);
        }
        SimulatedRun stoppedRun = stopped.poll();
        return stoppedRun == null
                ? forgettable.poll()
                : new Command.ReportTaskFailed(
                        stoppedRun.partition(),
                        stoppedRun.applicationId(),
                        stoppedRun.taskId(),
                        stoppedRun.attempt,
                        null,
                        "stopped");
    }

    /** An application was taken by no queue. */
    void rejected(String partition, String application) {
        forgettable.add(new Command.ForgetApplication(partition, application));
    }

    /** An application was taken by its queue; its tasks run for so long. */
    void submitted(Partition partition, Application application, List<Duration> durations, long nowMillis) {
        LiveApplication live = new LiveApplication(partition, application, nowMillis);
        fruitlessRebalances = 0;
        measurements.submitted(partition, application);
        List<TaskGroup> groups = application.groups();
        for (int i = 0; i < groups.size(); i++) {
            TaskGroup group = groups.get(i);
            LiveGroup added = new LiveGroup(
                    live,
                    group,
                    measurements.recorder(partition, application, group),
                    durations.get(i).toMillis());
            added.recorder.submitted(group.kind().size());
            live.add(added);
        }
        alive.put(partition.name(), live);
    }

    /** Follows what was decided at this instant. */
    void follow(List<Event> decided, long nowMillis) {
        for (Event event : decided) {
            if (event instanceof TaskEvent.Placed placed) {
                placed(placed, nowMillis);
            } else if (event instanceof TaskEvent.Released released) {
                SimulatedRun run = group(released).run(released.index());
                start(existing(run, released), nowMillis);
            } else if (event instanceof TaskEvent.Stopping stopping) {
                stopping(stopping);
            } else if (event instanceof TaskEvent.Ended ended) {
                ended(ended, nowMillis);
            } else if (event instanceof TaskEvent.Dropped dropped) {
                drop(group(dropped), 1);
            } else if (event instanceof ApplicationEvent.TasksDropped dropped) {
                LiveGroup group =
                        live(dropped.partition(), dropped.application()).group(dropped.tasks());
                drop(group, group.waiting);
            } else if (event instanceof ApplicationEvent.StateChanged change) {
                changed(change);
            } else if (event instanceof PartitionEvent.Rebalanced) {
                fruitlessRebalances++;
            }
        }
    }

    private void placed(TaskEvent.Placed event, long nowMillis) {
        LiveGroup group = group(event);
        Task task = group.group.placed(event.index());
        if (task == null) {
            throw new IllegalStateException("what was placed holds no place: " + event);
        }
        SimulatedRun run = new SimulatedRun(group, event.index(), task.attempt(), runs++, nowMillis);
        group.placed(run);
        group.waiting--;
        group.recorder.placed();
        if (!event.reserved()) {
            start(run, nowMillis);
        }
    }

    private void start(SimulatedRun run, long nowMillis) {
        LiveGroup group = run.group;
        run.startedMillis = nowMillis;
        run.endsMillis = nowMillis + group.durationMillis;
        ends.put(run);
        group.recorder.started();
        if (group.firstStarted(run.index)) {
            group.recorder.firstStarted(seconds(nowMillis - group.application.submittedMillis));
        }
        started.add(run);
    }

    /** A run that has started stops at once; one that was held is over without that. */
    private void stopping(TaskEvent.Stopping event) {
        SimulatedRun run = group(event).run(event.index());
        if (run != null && run.hasStarted() && ends.contains(run)) {
            ends.remove(run);
            run.group.recorder.stopped();
            stopped.add(run);
        }
    }

    private void ended(TaskEvent.Ended event, long nowMillis) {
        LiveGroup group = group(event);
        SimulatedRun run = existing(group.remove(event.index()), event);
        ends.remove(run);
        lastEndMillis = nowMillis;
        fruitlessRebalances = event.again() ? fruitlessRebalances : 0;
        group.recorder.occupied(seconds(nowMillis - run.placedMillis));
        if (event.outcome() == TaskOutcome.SUCCEEDED) {
            group.recorder.succeeded(
                    seconds(nowMillis - group.application.submittedMillis), seconds(nowMillis - run.startedMillis));
        } else if (event.again()) {
            group.waiting++;
            group.recorder.requeued();
            if (run.hasStarted()) {
                measurements.lost(seconds(nowMillis - run.startedMillis));
            }
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
            LiveApplication live = alive.get(change.partition(), change.application());
            if (live != null) { // a rejected one was never alive
                alive.remove(change.partition(), change.application());
                live.groups().forEach(group -> measurements.forget(live.partition, group.group));
                applicationsEnded++;
                forgettable.add(new Command.ForgetApplication(change.partition(), change.application()));
            }
        }
    }

    /** The simulation ends: counts what of this partition runs and what has not started. */
    void finish(Partition partition, long nowMillis) {
        for (LiveApplication live : alive.in(partition.name())) {
            for (LiveGroup group : live.groups()) {
                long reserved = 0;
                for (SimulatedRun run : group.runs()) {
                    lastEndMillis = nowMillis;
                    if (run.hasStarted()) {
                        group.recorder.stillRunning(seconds(nowMillis - run.placedMillis));
                    } else {
                        group.recorder.occupied(seconds(nowMillis - run.placedMillis));
                        reserved++;
                    }
                }
                long unstarted = (long) group.group.kind().size() - group.startedOnce();
                group.recorder.neverStarted(
                        Math.min(group.waiting + reserved, unstarted), seconds(nowMillis - live.submittedMillis));
            }
        }
    }

    private LiveGroup group(TaskEvent event) {
        return live(event.partition(), event.application()).group(event.task());
    }

    private LiveApplication live(String partition, String application) {
        LiveApplication live = alive.get(partition, application);
        if (live == null) {
            throw new IllegalStateException("nothing is known of application " + application);
        }
        return live;
    }

    private static SimulatedRun existing(@Nullable SimulatedRun run, TaskEvent event) {
        if (run == null) {
            throw new IllegalStateException("nothing is known of this run: " + event);
        }
        return run;
    }

    private static double seconds(long millis) {
        return millis / 1000.0;
    }
}
