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
    private final int types;
    private final boolean priorityCounts;
    private final int[] pathRanks;
    private final Seat[] seats;
    private final Tournament<Seat> order;

    /** The policy of this parent, whose children are reported by {@link #update}. */
    public FairShare(Queue parent, Partition partition) {
        this.partition = partition;
        this.types = partition
                .types()
                .size(); // nodes that have others, or queues that may have them, come with a new policy
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
        int byShare = DominantShare.compare(a.rank, b.rank);
        return byShare != 0 ? byShare : Integer.compare(a.pathRank, b.pathRank);
    }

    @Override
    public void update(Child child) {
        int position = child.position();
        Seat seat = seats[position];
        if (seat == null) {
            seat = new Seat(child, pathRanks[position], DominantShare.divisors(child.queue(), partition), types);
            seats[position] = seat;
        }
        if (child.isInPlay()) {
            seat.priority = priorityCounts ? child.priority() : 0;
            DominantShare.write(child.queue().allocated(), seat.divisors, seat.rank, 0, types, 1);
            DominantShare.write(child.queue().pending(), partition.total(), seat.rank, types, 2 * types, -1);
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
        private final long[] divisors;
        private final double[] rank; // its shares, then what is pending as negative numbers
        private long priority;

        private Seat(Child child, int pathRank, long[] divisors, int types) {
            this.child = child;
            this.pathRank = pathRank;
            this.divisors = divisors;
            this.rank = new double[2 * types];
        }
    }
}
