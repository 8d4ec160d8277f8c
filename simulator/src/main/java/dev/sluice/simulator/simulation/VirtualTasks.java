package dev.sluice.simulator.simulation;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Command;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
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
 * The tasks of a simulation: applies the decisions of the engine, knows when running tasks will end, and notifies the
 * measurements.
 *
 * <p>Reports to the engine are queued until all decisions of a batch are applied, since a decision may refer to
 * something that a later decision in the same list creates.
 */
final class VirtualTasks {

    /** The maximum number of consecutive rebalances without a submission or a task that ends for good. */
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
     * Whether the simulation would repeat itself forever without a new submission: classes reclaim workers again and
     * again for tasks that fit on no node, so running tasks are stopped each time before they end, and restart.
     */
    boolean isLivelocked() {
        return fruitlessRebalances >= FRUITLESS_REBALANCES_MAX;
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

    /** Returns the number of running tasks. */
    long running() {
        return ends.elements().size();
    }

    /** Returns when the next task ends by itself; {@link Long#MAX_VALUE} if none does. */
    long nextEndMillis() {
        SimulatedRun first = ends.first();
        return first == null ? Long.MAX_VALUE : first.endsMillis;
    }

    /** Returns the next run that has ended by itself by now, or null. */
    @Nullable SimulatedRun nextEnded(long nowMillis) {
        SimulatedRun first = ends.first();
        if (first == null || first.endsMillis > nowMillis) {
            return null;
        }
        ends.remove(first);
        return first;
    }

    /**
     * Returns the next report to the engine that results from its decisions, or null: first started runs, then stopped
     * runs, then applications that have ended and can be forgotten.
     */
    @Nullable Command nextCommand() {
        SimulatedRun begun = started.poll();
        if (begun != null) {
            return new Command.ReportTaskStarted(begun.ref);
        }
        SimulatedRun stoppedRun = stopped.poll();
        return stoppedRun == null ? forgettable.poll() : new Command.ReportTaskFailed(stoppedRun.ref, null, "stopped");
    }

    /** Records that an application was rejected. */
    void rejected(String partition, String application) {
        forgettable.add(new Command.ForgetApplication(partition, application));
    }

    /** Records that an application was accepted; its tasks run for these durations. */
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

    /** Applies the decisions made at this instant. */
    void apply(List<Event> decided, long nowMillis) {
        for (Event event : decided) {
            if (event instanceof TaskEvent.Placed placed) {
                placed(placed, nowMillis);
            } else if (event instanceof TaskEvent.Released released) {
                SimulatedRun run = group(released).run(released.task().position());
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
        SimulatedRun run = new SimulatedRun(group, event.run(), runs++, nowMillis);
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

    /** Stops a started run immediately; a reserved one needs no report. */
    private void stopping(TaskEvent.Stopping event) {
        SimulatedRun run = group(event).run(event.task().position());
        if (run != null && run.hasStarted() && ends.contains(run)) {
            ends.remove(run);
            run.group.recorder.stopped(event.reason());
            stopped.add(run);
        }
    }

    private void ended(TaskEvent.Ended event, long nowMillis) {
        LiveGroup group = group(event);
        SimulatedRun run = existing(group.remove(event.task().position()), event);
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
            if (live != null) { // a rejected application was never alive
                alive.remove(change.partition(), change.application());
                live.groups().forEach(group -> measurements.forget(live.partition, group.group));
                applicationsEnded++;
                forgettable.add(new Command.ForgetApplication(change.partition(), change.application()));
            }
        }
    }

    /** Counts the running and the never started tasks of this partition at the end of the simulation. */
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
        return live(event.partition(), event.application()).group(event.task().task());
    }

    private LiveApplication live(String partition, String application) {
        LiveApplication live = alive.get(partition, application);
        if (live == null) {
            throw new IllegalStateException("unknown application " + application);
        }
        return live;
    }

    private static SimulatedRun existing(@Nullable SimulatedRun run, TaskEvent event) {
        if (run == null) {
            throw new IllegalStateException("unknown run: " + event);
        }
        return run;
    }

    private static double seconds(long millis) {
        return millis / 1000.0;
    }
}
