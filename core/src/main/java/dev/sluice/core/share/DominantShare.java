package dev.sluice.core.share;

import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.function.IntToLongFunction;

/**
 * The share of a queue or application: one fraction per resource type, in descending order.
 *
 * <p>The first is the dominant share (Ghodsi et al., "Dominant Resource Fairness", NSDI 2011). Shares are compared by
 * the largest fraction, then the next largest, and so on; missing fractions are 0.
 */
public final class DominantShare {

    private DominantShare() {}

    /**
     * Returns the share of a queue: allocated ÷ guaranteed, else ÷ max, else ÷ the partition's total. Divisors of 0 are
     * skipped; without any divisor the fraction is 0.
     */
    public static double[] of(Queue queue, Partition partition) {
        double[] shares = new double[partition.types().size()];
        write(queue.allocated(), divisors(queue, partition), shares, 0, shares.length, 1);
        return shares;
    }

    /**
     * Returns the amounts ÷ the partition's total; see {@link #of}.
     *
     * @param reuse an array to fill and return if it has the right length
     */
    public static double[] ofTotal(long[] amounts, Partition partition, double[] reuse) {
        int types = partition.types().size();
        double[] shares = reuse.length == types ? reuse : new double[types];
        write(amounts, partition.total(), shares, 0, types, 1);
        return shares;
    }

    /**
     * Returns the largest fraction of the partition's total.
     *
     * @param amounts the amount of each type, such as {@code queue::allocated}
     */
    public static double largestOfTotal(IntToLongFunction amounts, Partition partition) {
        double largest = 0;
        for (int type = 0; type < partition.types().size(); type++) {
            largest = Math.max(largest, fraction(amounts.applyAsLong(type), partition.total(type)));
        }
        return largest;
    }

    /**
     * Returns the divisors of a queue's share, by type: the guaranteed amount, else the maximum, else the partition's
     * total.
     */
    static long[] divisors(Queue queue, Partition partition) {
        long[] divisors = new long[partition.types().size()];
        for (int i = 0; i < divisors.length; i++) {
            divisors[i] = divisor(queue, partition, i);
        }
        return divisors;
    }

    /**
     * Writes amounts ÷ divisors in descending order.
     *
     * @param target filled from {@code from} (inclusive) to {@code to} (exclusive), one entry per type
     * @param sign 1, or -1 to write negative numbers, so that {@link #compare} orders larger shares first
     */
    static void write(long[] amounts, long[] divisors, double[] target, int from, int to, int sign) {
        for (int i = from; i < to; i++) {
            int type = i - from;
            double share =
                    type < amounts.length && type < divisors.length ? fraction(amounts[type], divisors[type]) : 0;
            int j = i;
            for (; j > from && target[j - 1] * sign < share; j--) { // insertion sort: there are few types
                target[j] = target[j - 1];
            }
            target[j] = share * sign;
        }
    }

    /** Compares two shares, smaller first: by the largest fraction, then the next largest. */
    public static int compare(double[] a, double[] b) {
        int length = Math.max(a.length, b.length);
        for (int i = 0; i < length; i++) {
            double shareA = i < a.length ? a[i] : 0;
            double shareB = i < b.length ? b[i] : 0;
            if (shareA != shareB) {
                return shareA < shareB ? -1 : 1;
            }
        }
        return 0;
    }

    /** Returns the dominant share: the largest fraction. */
    public static double largest(double[] shares) {
        return shares.length == 0 ? 0 : shares[0];
    }

    private static long divisor(Queue queue, Partition partition, int type) {
        long guaranteed = queue.guaranteed(type);
        if (guaranteed > 0) {
            return guaranteed;
        }
        long max = queue.max(type);
        return max > 0 && max < Long.MAX_VALUE ? max : partition.total(type);
    }

    private static double fraction(long amount, long divisor) {
        return divisor == 0 ? 0 : (double) amount / divisor;
    }
}
