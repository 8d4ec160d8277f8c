package dev.sluice.simulator.figures;

/**
 * The figures of one queue.
 *
 * @param path such as {@code root.science.physics}
 * @param leaf whether it is a leaf queue, which holds applications
 * @param policy the share policy of a parent, the sort policy of a leaf
 * @param tasks the figures of its tasks; for a parent, of all tasks below it
 * @param receivedMean its dominant share of the nodes: the mean over the run, from 0 to 1
 * @param dueMean its due share, see {@link Definition#DUE_SHARE}: the mean over the run
 * @param area the mean over time of |received − due|: the area between the two lines ÷ the time
 * @param waitingMean the number of its waiting tasks: the mean over the run
 * @param waitingMax the maximum number of its tasks that waited at the same time
 * @param borrowed slot-seconds that it held beyond its entitlement; 0 unless its parent divides by load
 * @param lent slot-seconds of its entitlement that other queues used
 * @param received its dominant share of the nodes over time
 * @param due its due share over time
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
