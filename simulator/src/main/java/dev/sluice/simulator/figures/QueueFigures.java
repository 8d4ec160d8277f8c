package dev.sluice.simulator.figures;

/**
 * One queue.
 *
 * @param path such as {@code root.science.physics}
 * @param leaf whether applications are in it
 * @param policy the share policy of a parent, the sort policy of a leaf
 * @param tasks what became of its tasks; of a parent: of all below it
 * @param receivedMean which part of the nodes it had, of the resource of which it had most: the mean over the run, from 0 to 1
 * @param dueMean which part it was due: see {@link Definition#DUE_SHARE}
 * @param area the mean over time of |received − due|: the area between the two lines ÷ the time
 * @param waitingMean how many of its tasks waited, the mean over the run
 * @param waitingMax the most of its tasks that waited at once
 * @param borrowed slot-seconds that it had beyond its entitlement; 0 unless its parent divides by load
 * @param lent slot-seconds of its entitlement that others had
 * @param received which part of the nodes it had, over time
 * @param due which part it was due, over time
 */
public record QueueFigures(
        String path,
        boolean leaf,
        String policy,
        TaskFigures tasks,
        double receivedMean,
        double dueMean,
        double area,
        double waitingMean,
        long waitingMax,
        double borrowed,
        double lent,
        Series received,
        Series due) {}
