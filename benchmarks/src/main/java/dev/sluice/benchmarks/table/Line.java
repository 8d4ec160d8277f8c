package dev.sluice.benchmarks.table;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.benchmarks.rounds.Quantiles;
import dev.sluice.benchmarks.rounds.Rounds;
import org.jspecify.annotations.Nullable;

/**
 * One figure of the table.
 *
 * @param what what was measured
 * @param unit what it is counted in; of a ratio {@link #RATIO}
 * @param value what it came to; null: it was not measured
 * @param bound what is asked of it, or null
 * @param remark what else is to be known, such as why it was not measured; may be empty
 */
record Line(
        String what,
        String unit,
        @Nullable Quantiles value,
        @Nullable Bound bound,
        String remark) {

    /** The unit of a ratio. */
    static final String RATIO = "times";

    /** The unit of placements for a second of the thread's processor time. */
    static final String PLACEMENTS = "placements/s";

    /** A figure that is only told. */
    static Line info(String what, String unit, Quantiles value) {
        return new Line(what, unit, value, null, "");
    }

    /** A figure that is judged by its median. */
    static Line bounded(String what, String unit, Quantiles value, Bound bound) {
        return new Line(what, unit, value, bound, "");
    }

    /** How fast one contender is against another, round by round. */
    static Line speed(Rounds measured, int one, int other, @Nullable Bound bound) {
        String what = measured.variants().get(one).name() + " against "
                + measured.variants().get(other).name();
        return new Line(what, RATIO, measured.ratio(one, other), bound, "");
    }

    /** A figure that there is none of. */
    static Line skipped(String what, String unit, Bound bound, String why) {
        return new Line(what, unit, null, bound, why);
    }

    /** What is to be said of it; the median decides. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    Verdict verdict() {
        if (value == null) {
            return Verdict.SKIPPED;
        }
        return bound == null ? Verdict.INFORMATION : bound.judge(value.median());
    }

    /** The value and its unit, as people read them. */
    String valueText() {
        if (value == null) {
            return "–";
        }
        return Figures.format(value) + " " + unit;
    }
}
