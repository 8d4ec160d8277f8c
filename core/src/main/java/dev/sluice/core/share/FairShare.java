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
 * The share policy {@code fair}: serves the child with the smallest dominant share, without a budget.
 *
 * <p>Children are ordered by (priority unless disabled, dominant share, more pending first, path). Pending resources
 * are compared like shares: by the largest fraction of the partition's total, then the next largest.
 */
public final class FairShare implements SharePolicy {

    private final Partition partition;
    private final boolean priorityCounts;
    private final @Nullable Child[] children;
    private final int types;
    private final long[][] divisors;
    private final int[] pathRanks;
    private final Tournament order;

    // the sort keys of each child as of its last update: the share, then pending resources as negative fractions
    private final long[] priorities;
    private final double[] ranks;
    private final int width;

    /** Creates the policy of this parent, whose children are reported by {@link #update}. */
    public FairShare(Queue parent, Partition partition) {
        this.partition = partition;
        this.priorityCounts = parent.usesPriorities();
        List<Queue> queues = parent.children();
        this.children = new Child[queues.size()];
        this.types =
                partition.types().size(); // constant: when node totals or queue limits change, a new policy is created
        this.divisors = queues.stream()
                .map(queue -> DominantShare.divisors(queue, partition))
                .toArray(long[][]::new);
        this.pathRanks = pathRanks(queues);
        this.order = new Tournament(queues.size(), this::precedes);
        this.priorities = new long[queues.size()];
        this.width = 2 * types;
        this.ranks = new double[queues.size() * width];
    }

    /** Returns the rank of each queue in the order of paths. */
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

    /** Compares by (priority unless disabled, dominant share, more pending first, path). */
    private boolean precedes(int a, int b) {
        if (priorities[a] != priorities[b]) {
            return priorities[a] > priorities[b];
        }
        int ofA = a * width;
        int ofB = b * width;
        for (int i = 0; i < width; i++) {
            if (ranks[ofA + i] != ranks[ofB + i]) {
                return ranks[ofA + i] < ranks[ofB + i];
            }
        }
        return pathRanks[a] < pathRanks[b];
    }

    @Override
    public boolean ignoresSkipOrder() {
        return true;
    }

    @Override
    public void update(Child child) {
        int position = child.position();
        children[position] = child;
        if (!child.isEligible()) {
            order.remove(position);
            return;
        }
        Queue queue = child.queue();
        int from = position * width;
        priorities[position] = priorityCounts ? child.priority() : 0;
        DominantShare.write(queue.allocated(), divisors[position], ranks, from, from + types, 1);
        DominantShare.write(queue.pending(), partition.total(), ranks, from + types, from + width, -1);
        order.put(position);
    }

    @Override
    public @Nullable Child next() {
        int first = order.first();
        return first == Tournament.NONE ? null : children[first];
    }

    @Override
    public boolean hasNext() {
        return order.first() != Tournament.NONE;
    }
}
