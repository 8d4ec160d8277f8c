package dev.sluice.simulator.figures;

/**
 * The figures that exist once per run.
 *
 * @param makespanSeconds time from the first submission to the last end, or to the end of the simulation if a task was
 *     still running then
 * @param throughputPerHour succeeded tasks ÷ makespan
 * @param fragmented the fraction of the nodes that was free but fitted no waiting task: the mean over the run, from 0
 *     to 1, of the scarcest resource, which is the one with the highest demand relative to its capacity
 * @param withheld the fraction of that resource that was free and fitted a waiting task, but a quota or a policy kept
 *     it from starting
 * @param queueJainIndex Jain's index of received ÷ due over the leaf queues with a due share above 0: 1 if all are
 *     equal, 1 ÷ n if one got all
 * @param userJainIndex Jain's index of the mean bounded slowdown of the users
 * @param unfairness the mean over time of half the sum of |received − due| over the leaf queues: the fraction of the
 *     nodes that was allocated to the wrong queue, from 0 to 1
 * @param loans slot-seconds that load classes held beyond their entitlement
 * @param lostSeconds slot-seconds of runs that were stopped and restarted from the beginning
 * @param gangs the gangs
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
        double lostSeconds,
        GangFigures gangs) {

    /** Creates the figures of a run without gangs. */
    public OverallFigures(
            double makespanSeconds,
            double throughputPerHour,
            double fragmented,
            double withheld,
            double queueJainIndex,
            double userJainIndex,
            double unfairness,
            double loans,
            double lostSeconds) {
        this(
                makespanSeconds,
                throughputPerHour,
                fragmented,
                withheld,
                queueJainIndex,
                userJainIndex,
                unfairness,
                loans,
                lostSeconds,
                GangFigures.NONE);
    }
}
