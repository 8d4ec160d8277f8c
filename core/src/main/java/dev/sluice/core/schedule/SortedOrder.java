package dev.sluice.core.schedule;

import dev.sluice.core.rank.PriorityCounts;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The sort policies {@code fifo}, {@code fair} and {@code fewestrunning}: all eligible applications, in the order of
 * fixed criteria.
 */
final class SortedOrder implements LeafOrder {

    /** The criterion between priority and submission. */
    private enum Criterion {
        SUBMISSION,
        SHARE,
        ALLOCATED
    }

    private final RankedHeap<ApplicationSchedule> heap;
    private final PriorityCounts priorities = new PriorityCounts();
    private final Partition partition;
    private final Criterion criterion;

    private SortedOrder(Queue leaf, Partition partition, Criterion criterion) {
        this.partition = partition;
        this.criterion = criterion;
        this.heap = new RankedHeap<>(
                switch (criterion) {
                    case SUBMISSION -> firstInFirstOut(leaf);
                    case SHARE -> withPriority(leaf, SortedOrder::byShare);
                    case ALLOCATED -> withPriority(leaf, SortedOrder::byAllocated);
                });
    }

    /** Order: (priority unless disabled, submission time, sequence number). */
    static SortedOrder fifo(Queue leaf, Partition partition) {
        return new SortedOrder(leaf, partition, Criterion.SUBMISSION);
    }

    /**
     * Order: (priority unless disabled, dominant share of the partition's total, submission time, sequence number).
     */
    static SortedOrder fair(Queue leaf, Partition partition) {
        return new SortedOrder(leaf, partition, Criterion.SHARE);
    }

    /** Order: (priority unless disabled, number of allocated tasks, submission time, sequence number). */
    static SortedOrder fewestRunning(Queue leaf, Partition partition) {
        return new SortedOrder(leaf, partition, Criterion.ALLOCATED);
    }

    /** Compares by (priority unless disabled, submission time, sequence number). */
    static Comparator<ApplicationSchedule> firstInFirstOut(Queue leaf) {
        return withPriority(leaf, SortedOrder::bySubmissionRank);
    }

    private static Comparator<ApplicationSchedule> withPriority(Queue leaf, Comparator<ApplicationSchedule> otherwise) {
        return leaf.usesPriorities()
                ? (a, b) -> a.rankedPriority != b.rankedPriority ? byPriority(a, b) : otherwise.compare(a, b)
                : otherwise;
    }

    private static int byPriority(ApplicationSchedule a, ApplicationSchedule b) {
        return Long.compare(b.rankedPriority, a.rankedPriority);
    }

    private static int byShare(ApplicationSchedule a, ApplicationSchedule b) {
        if (a.largestShare != b.largestShare) {
            return a.largestShare < b.largestShare ? -1 : 1;
        }
        int order = DominantShare.compare(a.share, b.share);
        return order != 0 ? order : bySubmissionRank(a, b);
    }

    private static int bySubmissionRank(ApplicationSchedule a, ApplicationSchedule b) {
        return Long.compare(a.submissionRank, b.submissionRank);
    }

    private static int byAllocated(ApplicationSchedule a, ApplicationSchedule b) {
        return a.rankedAllocated != b.rankedAllocated
                ? Integer.compare(a.rankedAllocated, b.rankedAllocated)
                : bySubmissionRank(a, b);
    }

    @Override
    public void update(ApplicationSchedule application) {
        if (!application.isEligible()) {
            remove(application);
            return;
        }
        boolean moves = rankByPriority(application);
        if (criterion == Criterion.ALLOCATED && application.rankedAllocated != application.application.placed()) {
            application.rankedAllocated = application.application.placed();
            moves = true;
        } else if (criterion == Criterion.SHARE) {
            application.share =
                    DominantShare.ofTotal(application.application.allocated(), partition, application.share);
            application.largestShare = DominantShare.largest(application.share);
            moves = true;
        }
        if (moves) {
            heap.put(application);
        }
    }

    /**
     * Stores the application's priority; returns whether the application is new in the order or its priority has
     * changed.
     */
    private boolean rankByPriority(ApplicationSchedule application) {
        long priority = application.priority();
        boolean contained = heap.contains(application);
        if (contained && application.rankedPriority == priority) {
            return false;
        }
        if (contained) {
            priorities.remove(application.rankedPriority);
        }
        application.rankedPriority = priority;
        priorities.add(priority);
        return true;
    }

    @Override
    public void remove(ApplicationSchedule application) {
        if (heap.contains(application)) {
            priorities.remove(application.rankedPriority);
            heap.remove(application);
        }
    }

    @Override
    public @Nullable ApplicationSchedule next() {
        return heap.first();
    }

    @Override
    public long highestPriority() {
        return priorities.highest();
    }
}
