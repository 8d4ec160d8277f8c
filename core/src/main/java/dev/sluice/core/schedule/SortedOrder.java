package dev.sluice.core.schedule;

import dev.sluice.core.rank.PriorityCounts;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The sort policies {@code fifo}, {@code fair} and {@code fewestrunning}: all applications that are in play, by fixed criteria. */
final class SortedOrder implements LeafOrder {

    private static final Comparator<ApplicationSchedule> BY_SUBMISSION = Comparator.comparing(
                    (ApplicationSchedule schedule) -> schedule.application.submitted())
            .thenComparing(schedule -> schedule.application.id());

    private static final Comparator<ApplicationSchedule> BY_SHARE = (a, b) -> DominantShare.compare(a.share, b.share);

    private final RankedHeap<ApplicationSchedule> heap;
    private final PriorityCounts priorities = new PriorityCounts();
    private final @Nullable Partition shared;

    private SortedOrder(Comparator<ApplicationSchedule> order, @Nullable Partition shared) {
        this.heap = new RankedHeap<>(order);
        this.shared = shared;
    }

    /** (priority unless disabled, submission time, id). */
    static SortedOrder fifo(Queue leaf) {
        return new SortedOrder(firstInFirstOut(leaf), null);
    }

    /** (priority unless disabled, dominant share of the partition's total, submission time, id). */
    static SortedOrder fair(Queue leaf, Partition partition) {
        return new SortedOrder(withPriority(leaf, BY_SHARE.thenComparing(BY_SUBMISSION)), partition);
    }

    /** (priority unless disabled, number of tasks that hold a place, submission time, id). */
    static SortedOrder fewestRunning(Queue leaf) {
        Comparator<ApplicationSchedule> fewest = Comparator.comparingInt(schedule -> schedule.rankedPlaced);
        return new SortedOrder(withPriority(leaf, fewest.thenComparing(BY_SUBMISSION)), null);
    }

    static Comparator<ApplicationSchedule> firstInFirstOut(Queue leaf) {
        return withPriority(leaf, BY_SUBMISSION);
    }

    private static Comparator<ApplicationSchedule> withPriority(Queue leaf, Comparator<ApplicationSchedule> otherwise) {
        return leaf.priorityCounts()
                ? Comparator.comparingLong((ApplicationSchedule schedule) -> -schedule.rankedPriority)
                        .thenComparing(otherwise)
                : otherwise;
    }

    @Override
    public void update(ApplicationSchedule application) {
        if (!application.isInPlay()) {
            remove(application);
            return;
        }
        if (heap.contains(application)) {
            priorities.remove(application.rankedPriority);
        }
        application.rankedPriority = application.priority();
        priorities.add(application.rankedPriority);
        application.rankedPlaced = application.application.placed();
        if (shared != null) {
            application.share = DominantShare.ofTotal(application.application.allocated(), shared, application.share);
        }
        heap.put(application);
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
