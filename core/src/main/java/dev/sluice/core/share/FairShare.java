package dev.sluice.core.share;

import dev.sluice.core.rank.Tournament;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The share policy {@code fair}: the child with the smallest dominant share, without a budget.
 *
 * <p>Children are ordered by (priority unless disabled, dominant share, more pending first, path). "More pending" compares what is
 * pending as it compares shares: by its largest fraction of the partition's total, then the next largest.
 */
public final class FairShare implements SharePolicy {

    private final Partition partition;
    private final boolean priorityCounts;
    private final int[] pathRanks;
    private final Seat[] seats;
    private final Tournament<Seat> order;

    /** The policy of this parent, whose children are reported by {@link #update}. */
    public FairShare(Queue parent, Partition partition) {
        this.partition = partition;
        this.priorityCounts = parent.priorityCounts();
        this.pathRanks = pathRanks(parent.children());
        this.seats = new Seat[pathRanks.length];
        this.order = new Tournament<>(seats.length, FairShare::compare);
    }

    /** For each of these queues, how many of the others stand before it by their paths. */
    private static int[] pathRanks(List<Queue> queues) {
        List<Queue> byPath = new ArrayList<>(queues);
        byPath.sort(Comparator.comparing(Queue::path));
        Map<String, Integer> rankOf = new HashMap<>();
        for (int rank = 0; rank < byPath.size(); rank++) {
            rankOf.put(byPath.get(rank).path(), rank);
        }
        return queues.stream()
                .mapToInt(queue -> rankOf.getOrDefault(queue.path(), 0))
                .toArray();
    }

    /** (priority unless disabled, dominant share, more pending first, path). */
    private static int compare(Seat a, Seat b) {
        if (a.priority != b.priority) {
            return a.priority > b.priority ? -1 : 1;
        }
        int byShare = DominantShare.compare(a.share, b.share);
        if (byShare != 0) {
            return byShare;
        }
        int byPending = DominantShare.compare(b.pending, a.pending);
        return byPending != 0 ? byPending : Integer.compare(a.pathRank, b.pathRank);
    }

    @Override
    public void update(Child child) {
        int position = child.position();
        Seat seat = seats[position];
        if (seat == null) {
            seat = new Seat(child, pathRanks[position]);
            seats[position] = seat;
        }
        if (child.isInPlay()) {
            seat.priority = priorityCounts ? child.priority() : 0;
            seat.share = DominantShare.of(child.queue(), partition, seat.share);
            seat.pending = DominantShare.ofTotal(child.queue().pending(), partition, seat.pending);
            order.put(position, seat);
        } else {
            order.remove(position);
        }
    }

    @Override
    public @Nullable Child next() {
        Seat first = order.first();
        return first == null ? null : first.child;
    }

    @Override
    public boolean hasNext() {
        return order.first() != null;
    }

    /** A child with its rank as it was when it was last reported. */
    private static final class Seat {
        private final Child child;
        private final int pathRank;
        private long priority;
        private double[] share = {};
        private double[] pending = {};

        private Seat(Child child, int pathRank) {
            this.child = child;
            this.pathRank = pathRank;
        }
    }
}
