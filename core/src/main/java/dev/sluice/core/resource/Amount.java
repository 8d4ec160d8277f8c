package dev.sluice.core.resource;

/**
 * How much of one resource type: a number of base units (thousandths of a core, bytes, or a count), never below zero.
 *
 * <p>Arithmetic saturates: it stops at {@link #ZERO} and at {@link #UNLIMITED} instead of wrapping round.
 *
 * @param value base units; {@link Long#MAX_VALUE} means unlimited
 */
public record Amount(long value) implements Comparable<Amount> {

    /** Nothing. */
    public static final Amount ZERO = new Amount(0);

    /** More than anybody can use; adding to it or taking from it leaves it as it is. */
    public static final Amount UNLIMITED = new Amount(Long.MAX_VALUE);

    /** Checks the range; throws {@link IllegalArgumentException} when the value is negative. */
    public Amount {
        if (value < 0) {
            throw new IllegalArgumentException("amount must not be negative: " + value);
        }
    }

    /** The sum of two amounts in base units, at most {@link Long#MAX_VALUE}; both must be 0 or more. */
    public static long saturatedSum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** What is left of {@code a} after taking {@code b}, at least 0; unlimited stays unlimited. */
    public static long saturatedDifference(long a, long b) {
        if (a == Long.MAX_VALUE) {
            return a;
        }
        return a > b ? a - b : 0;
    }

    /** Whether this is the value that means "no limit". */
    public boolean isUnlimited() {
        return value == Long.MAX_VALUE;
    }

    /** This and the other amount together. */
    public Amount plus(Amount other) {
        return new Amount(saturatedSum(value, other.value));
    }

    /** What is left of this after taking the other, at least {@link #ZERO}. */
    public Amount minus(Amount other) {
        return new Amount(saturatedDifference(value, other.value));
    }

    /** This amount so many times over; {@code times} must be 0 or more. */
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
