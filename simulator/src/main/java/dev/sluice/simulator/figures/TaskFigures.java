package dev.sluice.simulator.figures;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of a set of tasks: of all tasks, of a queue or of a user. Every task is in exactly one of these states:
 * succeeded, failed, never started, running, or waiting for a restart.
 *
 * @param applications the number of submitted applications
 * @param rejected the number of those that were rejected; their tasks are not counted anywhere else
 * @param tasks the number of submitted tasks
 * @param starts the number of starts; a restart counts again
 * @param succeeded the number of tasks that succeeded
 * @param failed the number of tasks that failed or were stopped for good, or were dropped
 * @param stops the number of runs that were stopped, for any reason
 * @param neverStarted the number of tasks that had not started when the simulation ended
 * @param running the number of tasks that were running when the simulation ended
 * @param waiting seconds from the submission of the application to the first start, of the tasks that started
 * @param slowdown bounded slowdown of the succeeded tasks, see {@link Definition#BOUNDED_SLOWDOWN}
 * @param longestWaitSeconds the maximum wait for a first start, including tasks that never started
 * @param used the resources held, by resource type: amount × time, in base units × seconds; includes slots
 * @param preempted the number of runs that were preempted; those tasks run again
 * @param timedOut the number of runs that were stopped at their time limit
 * @param stopped the stopped runs by reason, as the reason is named in events
 */
public record TaskFigures(
        long applications,
        long rejected,
        long tasks,
        long starts,
        long succeeded,
        long failed,
        long stops,
        long neverStarted,
        long running,
        DistributionSummary waiting,
        DistributionSummary slowdown,
        double longestWaitSeconds,
        SortedMap<String, Double> used,
        long preempted,
        long timedOut,
        SortedMap<String, StopFigures> stopped) {

    public TaskFigures {
        used = Collections.unmodifiableSortedMap(new TreeMap<>(used));
        stopped = Collections.unmodifiableSortedMap(new TreeMap<>(stopped));
    }

    /**
     * Returns the number of tasks that had been started and stopped, and were waiting for a restart when the simulation
     * ended.
     */
    public long waitingAgain() {
        return tasks - succeeded - failed - neverStarted - running;
    }
}
