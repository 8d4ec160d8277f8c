package dev.sluice.benchmarks.table;

/**
 * The limits of a figure.
 *
 * @param direction which side of the limits is good
 * @param must the required limit
 * @param aim the target, at least as strict as the required limit
 */
record Bound(Direction direction, double must, double aim) {

    /** Which side of a limit is good. */
    enum Direction {
        /** At or above the limit. */
        AT_LEAST("≥"),
        /** Below the limit. */
        BELOW("<");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }
    }

    /** Throws {@link IllegalArgumentException} if the target is less strict than the required limit. */
    Bound {
        if (direction == Direction.AT_LEAST ? aim < must : aim > must) {
            throw new IllegalArgumentException("target " + aim + " is less strict than required limit " + must);
        }
    }

    /** Returns a lower bound. */
    static Bound atLeast(double must, double aim) {
        return new Bound(Direction.AT_LEAST, must, aim);
    }

    /** Returns an upper bound. */
    static Bound below(double must, double aim) {
        return new Bound(Direction.BELOW, must, aim);
    }

    /** Returns the verdict on this value; NaN is a miss. */
    Verdict judge(double value) {
        if (holds(value, aim)) {
            return Verdict.AIM;
        }
        return holds(value, must) ? Verdict.MUST : Verdict.MISSED;
    }

    private boolean holds(double value, double limit) {
        return direction == Direction.AT_LEAST ? value >= limit : value < limit;
    }

    /** Returns the required limit with its comparison sign. */
    String mustText() {
        return direction.sign + " " + Figures.format(must);
    }

    /** Returns the target with its comparison sign. */
    String aimText() {
        return direction.sign + " " + Figures.format(aim);
    }
}
