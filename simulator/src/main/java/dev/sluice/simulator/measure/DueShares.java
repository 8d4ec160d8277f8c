package dev.sluice.simulator.measure;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The due share of every queue of a partition at an instant, as a fraction of the partition: weighted max-min fairness,
 * from root down; see {@link dev.sluice.simulator.figures.Definition#DUE_SHARE}.
 *
 * <p>Visits every queue once and sorts the children of each parent: O(n log n) for n queues.
 */
final class DueShares {

    private final Partition partition;
    private final Map<Queue, Double> due = new HashMap<>();
    private final Map<Queue, Double> demands = new HashMap<>();

    private record ShareClaim(Queue queue, double demand, double weight) {

        /** The amount per unit of weight that satisfies this claim. */
        double level() {
            return demand / weight;
        }
    }

    private DueShares(Partition partition) {
        this.partition = partition;
    }

    /** Returns the due shares of the existing queues in the current state of the partition. */
    static DueShares of(Partition partition) {
        DueShares shares = new DueShares(partition);
        Queue root = partition.queues().root();
        double demand = shares.demand(root);
        shares.divide(root, Math.min(1, demand));
        return shares;
    }

    /** Returns the due share of this queue, from 0 to 1. */
    double of(Queue queue) {
        return due.getOrDefault(queue, 0.0);
    }

    /**
     * Returns the demand of a queue: the largest fraction of any resource that it holds or could use, limited by its
     * maximum.
     */
    private double demand(Queue queue) {
        double most;
        if (queue.children().isEmpty()) {
            most = DominantShare.largestOfTotal(type -> queue.allocated(type) + queue.pending(type), partition);
        } else {
            most = 0;
            for (Queue child : queue.children()) {
                most += demand(child);
            }
        }
        double allowed = Math.min(Math.min(most, 1), quota(queue));
        demands.put(queue, allowed);
        return allowed;
    }

    /** Returns the fraction of the partition that the maximum of a queue allows, of the most limiting resource. */
    private double quota(Queue queue) {
        double min = 1;
        for (int type = 0; type < partition.types().size(); type++) {
            long total = partition.total(type);
            long limit = queue.max(type);
            if (total > 0 && limit < total) {
                min = Math.min(min, (double) limit / total);
            }
        }
        return min;
    }

    private void divide(Queue queue, double share) {
        due.put(queue, share);
        List<ShareClaim> claims = new ArrayList<>();
        for (Queue child : queue.children()) {
            double weight = weight(queue, child);
            double most = demands.getOrDefault(child, 0.0);
            if (weight > 0 && most > 0) {
                claims.add(new ShareClaim(child, most, weight));
            } else {
                divide(child, 0);
            }
        }
        claims.sort(Comparator.comparingDouble(ShareClaim::level)
                .thenComparing(claim -> claim.queue().path()));
        // sums from the end, so that small values are not lost beside much larger ones
        double[] weightsFrom = new double[claims.size() + 1];
        for (int i = claims.size() - 1; i >= 0; i--) {
            weightsFrom[i] = weightsFrom[i + 1] + claims.get(i).weight();
        }
        double left = share;
        for (int i = 0; i < claims.size(); i++) {
            ShareClaim claim = claims.get(i);
            double granted = Math.min(claim.demand(), left * (claim.weight() / weightsFrom[i]));
            divide(claim.queue(), granted);
            left = Math.max(0, left - granted);
        }
    }

    /** Returns the weight of a queue under the share policy of its parent. */
    private double weight(Queue parent, Queue child) {
        SharePolicyKind policy = parent.sharePolicy();
        return switch (policy) {
            case LOAD -> child.configuration().properties().load().percentOrZero();
            case USAGE ->
                1 / Math.sqrt(child.configuration().properties().usage().factor());
            case FAIR -> Math.min(1, guarantee(child));
        };
    }

    /**
     * Returns the guaranteed fraction of the partition, else the maximum, else 1: the divisor that {@code fair} uses.
     */
    private double guarantee(Queue queue) {
        double min = Double.MAX_VALUE;
        for (int type = 0; type < partition.types().size(); type++) {
            long total = partition.total(type);
            long guaranteed = queue.guaranteed(type);
            long divisor = guaranteed > 0 ? guaranteed : Math.min(total, queue.max(type));
            if (total > 0 && divisor > 0) {
                min = Math.min(min, (double) divisor / total);
            }
        }
        return min == Double.MAX_VALUE ? 1 : min;
    }
}
