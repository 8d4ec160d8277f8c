package dev.sluice.benchmarks.table;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import org.jspecify.annotations.Nullable;

/**
 * One figure of the table.
 *
 * @param what what was measured
 * @param unit the unit; {@link #RATIO} for ratios
 * @param value the result; null if it was not measured
 * @param bound the limits, or null
 * @param remark a remark, such as why it was not measured; may be empty
 */
record Line(
        String what,
        String unit,
        @Nullable Quantiles value,
        @Nullable Bound bound,
        String remark) {

    /** The unit of a ratio. */
    static final String RATIO = "×";

    /** The unit of placements per second of the thread's processor time. */
    static final String PLACEMENTS = "placements/s";

    /** Returns a figure without limits. */
    static Line info(String what, String unit, Quantiles value) {
        return new Line(what, unit, value, null, "");
    }

    /** Returns a figure whose median is compared with limits. */
    static Line bounded(String what, String unit, Quantiles value, Bound bound) {
        return new Line(what, unit, value, bound, "");
    }

    /** Returns the speed of one variant relative to another, per round. */
    static Line speed(Rounds measured, int one, int other, @Nullable Bound bound) {
        String what = measured.variants().get(one).name() + " vs. "
                + measured.variants().get(other).name();
        return new Line(what, RATIO, measured.ratio(one, other), bound, "");
    }

    /** Returns a figure that was not measured. */
    static Line skipped(String what, String unit, Bound bound, String why) {
        return new Line(what, unit, null, bound, why);
    }

    /** Returns the verdict, which depends on the median. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    Verdict verdict() {
        if (value == null) {
            return Verdict.SKIPPED;
        }
        return bound == null ? Verdict.INFORMATION : bound.judge(value.median());
    }

    /** Returns the value with its unit. */
    String valueText() {
        if (value == null) {
            return "–";
        }
        return Figures.format(value) + " " + unit;
    }
}
