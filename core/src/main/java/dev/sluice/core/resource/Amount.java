package dev.sluice.core.resource;

/**
 * An amount of one resource type: a number of base units (thousandths of a core, bytes, or a count), never negative.
 *
 * <p>Arithmetic saturates at {@link #ZERO} and {@link #UNLIMITED} instead of overflowing.
 *
 * @param value base units; {@link Long#MAX_VALUE} means unlimited
 */
public record Amount(long value) implements Comparable<Amount> {

    public static final Amount ZERO = new Amount(0);

    /** No limit; stays the same when anything is added or subtracted. */
    public static final Amount UNLIMITED = new Amount(Long.MAX_VALUE);

    /** Throws {@link IllegalArgumentException} if the value is negative. */
    public Amount {
        if (value < 0) {
            throw new IllegalArgumentException("amount must not be negative: " + value);
        }
    }

    /** Returns the sum of two amounts in base units, at most {@link Long#MAX_VALUE}; both must be 0 or greater. */
    public static long saturatedSum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** Returns {@code a - b}, at least 0; unlimited stays unlimited. */
    public static long saturatedDifference(long a, long b) {
        if (a == Long.MAX_VALUE) {
            return a;
        }
        return a > b ? a - b : 0;
    }

    public boolean isUnlimited() {
        return value == Long.MAX_VALUE;
    }

    /** Returns the sum, at most {@link #UNLIMITED}. */
    public Amount plus(Amount other) {
        return new Amount(saturatedSum(value, other.value));
    }

    /** Returns the difference, at least {@link #ZERO}. */
    public Amount minus(Amount other) {
        return new Amount(saturatedDifference(value, other.value));
    }

    /** Returns the product; {@code times} must be 0 or greater. */
    public Amount times(long times) {
        if (times < 0) {
            throw new IllegalArgumentException("factor must not be negative: " + times);
        }
        if (times == 0 || value == 0) {
            return ZERO;
        }
        return value > Long.MAX_VALUE / times ? UNLIMITED : new Amount(value * times);
    }

    @Override
    public int compareTo(Amount other) {
        return Long.compare(value, other.value);
    }
}
