package dev.sluice.core.share;

import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Vectors;

/**
 * How much somebody has of what there is: a fraction per resource type, the largest first.
 *
 * <p>The first of them is the dominant share (Ghodsi et al., "Dominant Resource Fairness", NSDI 2011). Two are compared by the
 * largest, then by the next largest, and so on; what is missing is 0.
 */
public final class DominantShare {

    private DominantShare() {}

    /**
     * What a queue has: allocated ÷ guaranteed, else ÷ max, else ÷ the partition's total; a divisor of 0 is passed over, and
     * without any divisor the fraction is 0.
     *
     * @param reuse an array that may be filled and returned
     */
    public static double[] of(Queue queue, Partition partition, double[] reuse) {
        double[] shares = ofSize(partition.types().size(), reuse);
        long[] allocated = queue.allocated();
        for (int i = 0; i < shares.length; i++) {
            long amount = Vectors.at(allocated, i);
            shares[i] = amount == 0 ? 0 : fraction(amount, divisor(queue, partition, i));
        }
        return sortDown(shares);
    }

    /** Amounts ÷ the partition's total; see {@link #of}. */
    public static double[] ofTotal(long[] amounts, Partition partition, double[] reuse) {
        double[] shares = ofSize(partition.types().size(), reuse);
        for (int i = 0; i < shares.length; i++) {
            shares[i] = fraction(Vectors.at(amounts, i), Vectors.at(partition.total(), i));
        }
        return sortDown(shares);
    }

    /** The smaller share first: by the largest fraction, then the next largest. */
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

    /** The dominant share itself: the largest fraction. */
    public static double largest(double[] shares) {
        return shares.length == 0 ? 0 : shares[0];
    }

    private static long divisor(Queue queue, Partition partition, int type) {
        long guaranteed = Vectors.at(queue.guaranteed(), type);
        if (guaranteed > 0) {
            return guaranteed;
        }
        long max = Vectors.limitAt(queue.max(), type);
        return max > 0 && max < Long.MAX_VALUE ? max : Vectors.at(partition.total(), type);
    }

    private static double fraction(long amount, long divisor) {
        return divisor == 0 ? 0 : (double) amount / divisor;
    }

    private static double[] ofSize(int size, double[] reuse) {
        return reuse.length == size ? reuse : new double[size];
    }

    /** Insertion sort: there are few types. */
    private static double[] sortDown(double[] shares) {
        for (int i = 1; i < shares.length; i++) {
            double share = shares[i];
            int j = i;
            for (; j > 0 && shares[j - 1] < share; j--) {
                shares[j] = shares[j - 1];
            }
            shares[j] = share;
        }
        return shares;
    }
}
