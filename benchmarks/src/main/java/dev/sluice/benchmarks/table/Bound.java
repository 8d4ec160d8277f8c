package dev.sluice.benchmarks.table;

/**
 * What a figure must be, and what it ought to be one day.
 *
 * @param direction which side of the limits is good
 * @param must the limit beyond which something is wrong
 * @param aim the limit beyond which nothing is left to wish for
 */
record Bound(Direction direction, double must, double aim) {

    /** Which side of a limit is good. */
    enum Direction {
        /** The limit and what is above. */
        AT_LEAST("≥"),
        /** What is below the limit. */
        BELOW("<");

        private final String sign;

        Direction(String sign) {
            this.sign = sign;
        }
    }

    /** Throws {@link IllegalArgumentException} when the aim is easier than the must. */
    Bound {
        if (direction == Direction.AT_LEAST ? aim < must : aim > must) {
            throw new IllegalArgumentException("an aim of " + aim + " is easier than a must of " + must);
        }
    }

    /** The more, the better. */
    static Bound atLeast(double must, double aim) {
        return new Bound(Direction.AT_LEAST, must, aim);
    }

    /** The less, the better. */
    static Bound below(double must, double aim) {
        return new Bound(Direction.BELOW, must, aim);
    }

    /** What is to be said of this value. A value that is no number misses. */
    Verdict judge(double value) {
        if (holds(value, aim)) {
            return Verdict.AIM;
        }
        return holds(value, must) ? Verdict.MUST : Verdict.MISSED;
    }

    private boolean holds(double value, double limit) {
        return direction == Direction.AT_LEAST ? value >= limit : value < limit;
    }

    /** The must as people read it. */
    String mustText() {
        return direction.sign + " " + Figures.format(must);
    }

    /** The aim as people read it. */
    String aimText() {
        return direction.sign + " " + Figures.format(aim);
    }
}
