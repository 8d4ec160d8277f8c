package dev.sluice.simulator.measure;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.simulator.figures.QueueFigures;

/** Watches one queue; one that vanishes and is made again is the same. */
final class QueueTally {

    private final String name;
    private final boolean leaf;
    private final String policy;
    private final Samples.Line received;
    private final Samples.Line due;
    private final Samples.Line area;
    private final Samples.Line waiting;
    private final Samples.Line loansTaken;
    private final Samples.Line loansGiven;
    final TaskTally tasks = new TaskTally();

    QueueTally(String name, Queue queue, Samples samples) {
        this.name = name;
        this.leaf = queue.isLeaf();
        this.policy = leaf ? queue.sortPolicy().word() : queue.sharePolicy().word();
        this.received = samples.line();
        this.due = samples.line();
        this.area = samples.line();
        this.waiting = samples.line();
        this.loansTaken = samples.line();
        this.loansGiven = samples.line();
    }

    String name() {
        return name;
    }

    boolean isLeaf() {
        return leaf;
    }

    /** Takes a look at the queue as it is now. */
    void look(Queue queue, Partition partition, DueShares shares, Loans loans) {
        double has = DominantShare.largest(DominantShare.ofTotal(queue.allocated(), partition, new double[0]));
        double isDue = shares.of(queue);
        received.set(has);
        due.set(isDue);
        area.set(Math.abs(has - isDue));
        waiting.set((double) queue.pendingTasks());
        loansTaken.set(loans.taken(queue));
        loansGiven.set(loans.given(queue));
    }

    /** It is not there now. */
    void vanish() {
        received.set(0);
        due.set(0);
        area.set(0);
        waiting.set(0);
        loansTaken.set(0);
        loansGiven.set(0);
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

    /**
     * The figures.
     *
     * @param all what became of its tasks and of those below it
     */
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
                loansTaken.mean() * sampledSeconds,
                loansGiven.mean() * sampledSeconds,
                received.series(1),
                due.series(1));
    }
}
