package dev.sluice.simulator.measure;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.simulator.figures.StopFigures;
import dev.sluice.simulator.figures.TaskFigures;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts the tasks of a queue, of a user or of the whole run. */
final class TaskTally {

    final Histogram waiting = new Histogram();
    final Histogram slowdown = new Histogram();
    long applications;
    long rejected;
    long tasks;
    long starts;
    long succeeded;
    long failed;
    long stops;
    long preempted;
    long timedOut;
    long neverStarted;
    long running;
    double longestWaitSeconds;
    private double[] used = {};
    private final SortedMap<String, StopFigures> stopped = new TreeMap<>();

    /** Adds the counts of another tally. */
    void addAll(TaskTally other) {
        waiting.addAll(other.waiting);
        slowdown.addAll(other.slowdown);
        makeRoom(other.used.length);
        for (int type = 0; type < other.used.length; type++) {
            used[type] += other.used[type];
        }
        applications += other.applications;
        rejected += other.rejected;
        tasks += other.tasks;
        starts += other.starts;
        succeeded += other.succeeded;
        failed += other.failed;
        stops += other.stops;
        preempted += other.preempted;
        timedOut += other.timedOut;
        neverStarted += other.neverStarted;
        running += other.running;
        longestWaitSeconds = Math.max(longestWaitSeconds, other.longestWaitSeconds);
        other.stopped.forEach((reason, more) -> stopped.merge(reason, more, TaskTally::sum));
    }

    private static StopFigures sum(StopFigures a, StopFigures b) {
        return new StopFigures(a.stops() + b.stops(), a.lostSeconds() + b.lostSeconds());
    }

    /** Adds the resources that a run held, as a vector by resource type. */
    void use(long[] amounts, double seconds) {
        makeRoom(amounts.length);
        for (int type = 0; type < amounts.length; type++) {
            used[type] += amounts[type] * seconds;
        }
    }

    private void makeRoom(int types) {
        if (used.length < types) {
            used = Arrays.copyOf(used, types);
        }
    }

    /** Counts a run that was stopped after this time. */
    void stopped(StopReason reason, double ranSeconds) {
        stops++;
        stopped.merge(reason.wireName(), new StopFigures(1, reason.runsAgain() ? ranSeconds : 0), TaskTally::sum);
        preempted += reason.isPreemption() ? 1 : 0;
        timedOut += reason == StopReason.TIMEOUT ? 1 : 0;
    }

    /** Counts tasks that waited this long and have not started. */
    void neverStarted(long count, double waitedSeconds) {
        neverStarted += count;
        if (count > 0) {
            longestWaitSeconds = Math.max(longestWaitSeconds, waitedSeconds);
        }
    }

    TaskFigures figures(ResourceTypes types) {
        SortedMap<String, Double> amounts = new TreeMap<>();
        for (int type = 0; type < used.length; type++) {
            if (used[type] > 0) {
                amounts.put(types.name(type), used[type]);
            }
        }
        return new TaskFigures(
                applications,
                rejected,
                tasks,
                starts,
                succeeded,
                failed,
                stops,
                neverStarted,
                running,
                waiting.distribution(),
                slowdown.distribution(),
                Math.max(longestWaitSeconds, waiting.max()),
                amounts,
                preempted,
                timedOut,
                stopped);
    }
}
