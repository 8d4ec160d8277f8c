package dev.sluice.simulator.measure;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.simulator.figures.QueueFigures;
import org.jspecify.annotations.Nullable;

/** Counts the tasks of one queue and samples its shares. A queue that is removed and created again keeps its tally. */
final class QueueTally {

    private final String name;
    private final String path;
    private final @Nullable QueueTally parent;
    private final boolean leaf;
    private final String policy;
    private final TimeSeriesSampler.TimeSeries received;
    private final TimeSeriesSampler.TimeSeries due;
    private final TimeSeriesSampler.TimeSeries area;
    private final TimeSeriesSampler.TimeSeries waiting;
    private final TimeSeriesSampler.TimeSeries borrowed;
    private final TimeSeriesSampler.TimeSeries lent;
    final TaskTally tasks = new TaskTally();

    /**
     * @param prefix the prefix of its path where several partitions have a queue of this path
     * @param parent the tally of the parent queue
     */
    QueueTally(String prefix, Queue queue, @Nullable QueueTally parent, TimeSeriesSampler samples) {
        this.name = prefix + queue.path();
        this.path = queue.path();
        this.parent = parent;
        this.leaf = queue.isLeaf();
        this.policy = leaf ? queue.sortPolicy().wireName() : queue.sharePolicy().wireName();
        this.received = samples.newSeries();
        this.due = samples.newSeries();
        this.area = samples.newSeries();
        this.waiting = samples.newSeries();
        this.borrowed = samples.newSeries();
        this.lent = samples.newSeries();
    }

    /** Whether this is the tally of that queue, and not of one of its ancestors. */
    boolean isOf(Queue queue) {
        return path.equals(queue.path());
    }

    @Nullable QueueTally parent() {
        return parent;
    }

    boolean isLeaf() {
        return leaf;
    }

    /** Records the current state of the queue. */
    void observe(Queue queue, Partition partition, DueShares shares, Loans loans) {
        double has = DominantShare.largestOfTotal(queue::allocated, partition);
        double isDue = shares.of(queue);
        received.set(has);
        due.set(isDue);
        area.set(Math.abs(has - isDue));
        waiting.set((double) queue.pendingTasks());
        borrowed.set(loans.borrowed(queue));
        lent.set(loans.lent(queue));
    }

    /** Records that the queue does not exist now. */
    void clear() {
        received.set(0);
        due.set(0);
        area.set(0);
        waiting.set(0);
        borrowed.set(0);
        lent.set(0);
    }

    double receivedMean() {
        return received.mean();
    }

    double dueMean() {
        return due.mean();
    }

    double areaMean() {
        return area.mean();
    }

    /** @param all the tally of its tasks and of those below it */
    QueueFigures figures(TaskTally all, ResourceTypes types, double sampledSeconds) {
        return new QueueFigures(
                name,
                leaf,
                policy,
                all.figures(types),
                received.mean(),
                due.mean(),
                area.mean(),
                waiting.mean(),
                Math.round(waiting.max()),
                borrowed.mean() * sampledSeconds,
                lent.mean() * sampledSeconds,
                received.series(1),
                due.series(1));
    }
}
