package dev.sluice.core.state;

import java.util.Arrays;

/**
 * Arithmetic on vectors: arrays of base units, indexed by resource type, see
 * {@link dev.sluice.core.resource.ResourceTypes}.
 *
 * <p>Elements beyond the end of a vector are 0; those beyond the end of a vector of limits are {@link Long#MAX_VALUE}.
 * Sums do not overflow, because validation keeps them below {@link SchedulerLimits#SUM_MAX}.
 */
public final class Vectors {

    private static final long[] EMPTY = {};

    private Vectors() {}

    public static long[] empty() {
        return EMPTY;
    }

    /** Returns the amount of this type. */
    public static long at(long[] vector, int type) {
        return type < vector.length ? vector[type] : 0;
    }

    /** Returns the limit of this type. */
    public static long limitAt(long[] limits, int type) {
        return type < limits.length ? limits[type] : Long.MAX_VALUE;
    }

    /** Returns whether there is as much of each type as a demand needs; what it does not need may be below 0. */
    public static boolean covers(long[] free, long[] demand) {
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > 0 && at(free, type) < demand[type]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the smaller limit of each type. */
    public static long[] smaller(long[] limits, long[] others) {
        long[] smaller = new long[Math.max(limits.length, others.length)];
        for (int i = 0; i < smaller.length; i++) {
            smaller[i] = Math.min(limitAt(limits, i), limitAt(others, i));
        }
        return smaller;
    }

    /** Adds {@code times} times the second vector to the first, in place if it is long enough, and returns the sum. */
    static long[] add(long[] sum, long[] vector, long times) {
        long[] target = sum.length >= vector.length ? sum : Arrays.copyOf(sum, vector.length);
        for (int i = 0; i < vector.length; i++) {
            target[i] += vector[i] * times;
        }
        return target;
    }

    /** Returns a new vector: the first plus {@code times} times the second. */
    public static long[] sum(long[] a, long[] b, long times) {
        return add(a.clone(), b, times);
    }
}
