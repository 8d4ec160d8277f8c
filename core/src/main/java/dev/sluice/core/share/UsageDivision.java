package dev.sluice.core.share;

/**
 * How what is free is cut into slices by decayed usage.
 *
 * <p>The fraction of a queue is the inverse of its effective priority, of the sum of these inverses over the queues that take part.
 * Its share is what it lacks of that fraction of everything, that is, of what is free and what these queues have:
 * {@code max(0, fraction × (free + Σ usage) − usage)}. Slices are what is free in proportion to the shares, so they bring each
 * queue as close to its fraction as what is free allows. Without usage the slices are the fractions: two queues of
 * effective priority 1 and 2 get ⅔ and ⅓ (Armada's example).
 */
final class UsageDivision {

    /** The least usage priority that counts, in cores: what never used anything is not due everything. */
    static final double PRIORITY_MIN = 0.5;

    private final double[] fractions;
    private final double[] parts;

    /**
     * Divides.
     *
     * @param free what is free, in cores
     * @param effectivePriorities of all queues; above 0, perhaps infinite
     * @param usages what each has, in cores
     * @param participates which of them take part: those that have something pending
     */
    UsageDivision(double free, double[] effectivePriorities, double[] usages, boolean[] participates) {
        int count = usages.length;
        fractions = new double[count];
        parts = new double[count];
        double least = Double.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            least = participates[i] ? Math.min(least, effectivePriorities[i]) : least;
        }
        double inverses = 0;
        double everything = free;
        for (int i = 0; i < count; i++) {
            if (participates[i]) {
                fractions[i] = inverse(least, effectivePriorities[i]);
                inverses += fractions[i];
                everything += usages[i];
            }
        }
        double shares = 0;
        for (int i = 0; i < count; i++) {
            if (participates[i]) {
                fractions[i] /= inverses;
                parts[i] = Math.max(0, fractions[i] * everything - usages[i]);
                shares += parts[i];
            }
        }
        for (int i = 0; i < count; i++) {
            parts[i] = shares > 0 ? parts[i] / shares : 0;
        }
    }

    /** The inverse of an effective priority, in units of the largest inverse, so that neither it nor a sum overflows. */
    private static double inverse(double least, double effectivePriority) {
        return least / Math.min(Double.MAX_VALUE, effectivePriority);
    }

    /** Which part of everything this queue is due; 0 if it does not take part. */
    double fraction(int i) {
        return fractions[i];
    }

    /** Which part of what is free its slice is. */
    double part(int i) {
        return parts[i];
    }

    /** The usage priority, at least the least one that counts, times the queue's factor. */
    static double effectivePriority(double usagePriority, double factor) {
        return Math.max(usagePriority, PRIORITY_MIN) * factor;
    }
}
