package dev.sluice.simulator.measure;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What every queue of a partition is due at an instant, as a part of the partition: max-min fair by weight, from root down; see
 * {@link dev.sluice.simulator.figures.Definition#DUE_SHARE}.
 *
 * <p>It looks at every queue once and sorts the children of each parent: O(n log n) for n queues.
 */
final class DueShares {

    private final Partition partition;
    private final Map<Queue, Double> due = new HashMap<>();
    private final Map<Queue, Double> wanted = new HashMap<>();

    private record ShareClaim(Queue queue, double wanted, double weight) {

        /** How much of a unit of weight it takes to satisfy it. */
        double level() {
            return wanted / weight;
        }
    }

    private DueShares(Partition partition) {
        this.partition = partition;
    }

    /** The shares as the partition is now, of the queues that are there. */
    static DueShares of(Partition partition) {
        DueShares shares = new DueShares(partition);
        Queue root = partition.queues().root();
        double wanted = shares.want(root);
        shares.divide(root, Math.min(1, wanted));
        return shares;
    }

    /** What this queue is due, from 0 to 1. */
    double of(Queue queue) {
        return due.getOrDefault(queue, 0.0);
    }

    /** The largest part of any resource that a queue has or could use, no more than its maximum lets it. */
    private double want(Queue queue) {
        double most;
        if (queue.children().isEmpty()) {
            most = dominant(Vectors.sum(queue.allocated(), queue.pending(), 1));
        } else {
            most = 0;
            for (Queue child : queue.children()) {
                most += want(child);
            }
        }
        double allowed = Math.min(Math.min(most, 1), quota(queue));
        wanted.put(queue, allowed);
        return allowed;
    }

    private double dominant(long[] amounts) {
        return DominantShare.largest(DominantShare.ofTotal(amounts, partition, new double[0]));
    }

    /** The part of the partition that the maximum of a queue lets it have: of the resource that limits it most. */
    private double quota(Queue queue) {
        double least = 1;
        for (int type = 0; type < partition.types().size(); type++) {
            long total = Vectors.at(partition.total(), type);
            long limit = Vectors.limitAt(queue.max(), type);
            if (total > 0 && limit < total) {
                least = Math.min(least, (double) limit / total);
            }
        }
        return least;
    }

    private void divide(Queue queue, double share) {
        due.put(queue, share);
        List<ShareClaim> claims = new ArrayList<>();
        for (Queue child : queue.children()) {
            double weight = weight(queue, child);
            double most = wanted.getOrDefault(child, 0.0);
            if (weight > 0 && most > 0) {
                claims.add(new ShareClaim(child, most, weight));
            } else {
                divide(child, 0);
            }
        }
        claims.sort(Comparator.comparingDouble(ShareClaim::level)
                .thenComparing(claim -> claim.queue().path()));
        double[] weightsFrom =
                new double[claims.size() + 1]; // summed up from the end: nothing is lost beside what is much larger
        for (int i = claims.size() - 1; i >= 0; i--) {
            weightsFrom[i] = weightsFrom[i + 1] + claims.get(i).weight();
        }
        double left = share;
        for (int i = 0; i < claims.size(); i++) {
            ShareClaim claim = claims.get(i);
            double given = Math.min(claim.wanted(), left * (claim.weight() / weightsFrom[i]));
            divide(claim.queue(), given);
            left = Math.max(0, left - given);
        }
    }

    /** What the share policy of its parent weighs a queue by. */
    private double weight(Queue parent, Queue child) {
        SharePolicyKind policy = parent.sharePolicy();
        return switch (policy) {
            case LOAD -> child.configuration().properties().load().percentOrZero();
            case USAGE ->
                1 / Math.sqrt(child.configuration().properties().usage().factor());
            case FAIR -> Math.min(1, guarantee(child));
        };
    }

    /** The part of the partition that a queue is guaranteed, else allowed, else all: what {@code fair} divides its allocation by. */
    private double guarantee(Queue queue) {
        double least = Double.MAX_VALUE;
        for (int type = 0; type < partition.types().size(); type++) {
            long total = Vectors.at(partition.total(), type);
            long guaranteed = Vectors.at(queue.guaranteed(), type);
            long divisor = guaranteed > 0 ? guaranteed : Math.min(total, Vectors.limitAt(queue.max(), type));
            if (total > 0 && divisor > 0) {
                least = Math.min(least, (double) divisor / total);
            }
        }
        return least == Double.MAX_VALUE ? 1 : least;
    }
}
