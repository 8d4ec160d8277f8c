package dev.sluice.core.share;

import dev.sluice.core.rank.Ranked;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code fair}: the child with the smallest dominant share, without a budget.
 *
 * <p>Children are ordered by (priority unless disabled, dominant share, more pending first, path). "More pending" compares what is
 * pending as it compares shares: by its largest fraction of the partition's total, then the next largest.
 */
public final class FairShare implements SharePolicy {

    private static final Comparator<Seat> BY_SHARE = Comparator.<Seat, double[]>comparing(
                    seat -> seat.share, DominantShare::compare)
            .thenComparing(seat -> seat.pending, (a, b) -> DominantShare.compare(b, a))
            .thenComparing(seat -> seat.child.queue().path());

    private final Partition partition;
    private final Seat[] seats;
    private final RankedHeap<Seat> order;

    /** The policy of this parent, whose children are reported by {@link #update}. */
    public FairShare(Queue parent, Partition partition) {
        this.partition = partition;
        this.seats = new Seat[parent.children().size()];
        this.order = new RankedHeap<>(
                parent.priorityCounts()
                        ? Comparator.<Seat>comparingLong(seat -> -seat.priority).thenComparing(BY_SHARE)
                        : BY_SHARE);
    }

    @Override
    public void update(Child child) {
        Seat seat = seats[child.position()];
        if (seat == null) {
            seat = new Seat(child);
            seats[child.position()] = seat;
        }
        if (child.isInPlay()) {
            seat.priority = child.priority();
            seat.share = DominantShare.of(child.queue(), partition, seat.share);
            seat.pending = DominantShare.ofTotal(child.queue().pending(), partition, seat.pending);
            order.put(seat);
        } else {
            order.remove(seat);
        }
    }

    @Override
    public @Nullable Child next() {
        Seat first = order.first();
        return first == null ? null : first.child;
    }

    @Override
    public boolean hasNext() {
        return !order.isEmpty();
    }

    /** A child with its rank as it was when it was last reported. */
    private static final class Seat extends Ranked {
        private final Child child;
        private long priority;
        private double[] share = {};
        private double[] pending = {};

        private Seat(Child child) {
            this.child = child;
        }
    }
}
