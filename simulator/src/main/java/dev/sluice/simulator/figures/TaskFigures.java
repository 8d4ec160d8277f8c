package dev.sluice.simulator.figures;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of tasks: of all, of a queue or of a user. Every task has succeeded, has failed, never started, runs, or waits to begin
 * anew, and counts once among these.
 *
 * @param applications how many applications were submitted
 * @param rejected how many of those no queue took; their tasks count nowhere else
 * @param tasks how many tasks were submitted
 * @param starts how often one was started; again after it was stopped counts again
 * @param succeeded how many ended well
 * @param failed how many ended badly for good, were stopped for good or were dropped
 * @param stops how often one was stopped while it ran
 * @param neverStarted how many had not started when the simulation ended
 * @param running how many ran when the simulation ended
 * @param waiting seconds from the submission of its application to its first start, of the tasks that started
 * @param slowdown bounded slowdown, of the tasks that succeeded: see {@link Definition#BOUNDED_SLOWDOWN}
 * @param longestWaitSeconds the longest that one waited for its first start, those that never started included
 * @param used what they held, by resource type: amount × time, in base units × seconds; slots too
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
        SortedMap<String, Double> used) {

    /** Copies the map. */
    public TaskFigures {
        used = Collections.unmodifiableSortedMap(new TreeMap<>(used));
    }

    /** How many had been started and stopped, and waited to begin anew when the simulation ended. */
    public long waitingAgain() {
        return tasks - succeeded - failed - neverStarted - running;
    }
}
