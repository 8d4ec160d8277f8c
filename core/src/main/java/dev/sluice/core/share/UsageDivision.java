package dev.sluice.core.share;

/**
 * Divides free capacity into slices by decayed usage.
 *
 * <p>The fraction of a queue is the inverse of its effective priority ÷ the sum of these inverses over the
 * participating queues. Its share is what it lacks of that fraction of everything, that is, of the free capacity and
 * the usage of these queues: {@code max(0, fraction × (free + Σ usage) − usage)}. Slices divide the free capacity in
 * proportion to the shares, so they bring each queue as close to its fraction as the free capacity allows. Without
 * usage, slices equal fractions: two queues of effective priority
 * 1 and 2 get ⅔ and ⅓ (Armada's example).
 */
final class UsageDivision {

    /** The minimum usage priority that counts, in cores, so that a queue without usage does not get everything. */
    static final double PRIORITY_MIN = 0.5;

    private final double[] fractions;
    private final double[] parts;

    /**
     * Computes the division.
     *
     * @param free the free capacity, in cores
     * @param effectivePriorities of all queues; greater than 0, possibly infinite
     * @param usages of all queues, in cores
     * @param participates which queues participate: those with eligible tasks
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

    /**
     * Returns the inverse of an effective priority, relative to the largest inverse, so that neither it nor a sum
     * overflows.
     */
    private static double inverse(double least, double effectivePriority) {
        return least / Math.min(Double.MAX_VALUE, effectivePriority);
    }

    /** Returns the fraction of everything that this queue should have; 0 if it does not participate. */
    double fraction(int i) {
        return fractions[i];
    }

    /** Returns the slice of this queue as a fraction of the free capacity. */
    double part(int i) {
        return parts[i];
    }

    /** Returns {@code max(usagePriority, PRIORITY_MIN) × factor}. */
    static double effectivePriority(double usagePriority, double factor) {
        return Math.max(usagePriority, PRIORITY_MIN) * factor;
    }
}
