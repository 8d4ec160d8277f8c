package dev.sluice.simulator.figures;

/**
 * What there is only once for a run.
 *
 * @param makespanSeconds from the first submission to the last end; to the end of the simulation if something still ran then
 * @param throughputPerHour tasks that succeeded ÷ makespan
 * @param fragmented which part of the nodes was free but fitted nothing that waited: the mean over the run, from 0 to 1, of the scarcest
 *     resource: that of which most is asked for, compared with what there is
 * @param withheld which part of that resource was free and fitted something that waited, but a quota or a policy kept it from starting
 * @param queueJainIndex Jain's index of received ÷ due of the leaf queues that were due something: 1 if all got alike, 1 ÷ n if one got all
 * @param userJainIndex Jain's index of the mean bounded slowdown of the users
 * @param unfairness the mean over time of half the sum of |received − due| of the leaf queues: which part of the nodes was with the wrong
 *     queue, from 0 to 1
 * @param loans slot-seconds that load classes had beyond what they were entitled to
 * @param lostSeconds slot-seconds of runs that were stopped and had to begin anew
 */
public record OverallFigures(
        double makespanSeconds,
        double throughputPerHour,
        double fragmented,
        double withheld,
        double queueJainIndex,
        double userJainIndex,
        double unfairness,
        double loans,
        double lostSeconds) {}
