package dev.sluice.cli.simulate;

import dev.sluice.simulator.figures.Measure;
import java.util.Locale;

/** Formats the values of measures for tables. */
final class MeasureText {

    /** Placeholder of a missing figure. */
    static final String NONE = "-";

    private MeasureText() {}

    static String text(Measure.Unit unit, double value) {
        if (Double.isNaN(value)) {
            return NONE;
        }
        return switch (unit) {
            case DURATION -> Spans.text(value);
            case RATIO -> ratio(value);
            case SHARE -> percent(value);
            case INDEX -> String.format(Locale.ROOT, "%.2f", value);
            case COUNT -> value == Math.rint(value) ? count((long) value) : ratio(value);
            case SLOT_TIME -> value == 0 ? "0" : String.format(Locale.ROOT, "%,.1f h", value / 3600);
        };
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%,.1f" : "%,.0f", value);
    }

    static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", part * 100);
    }
}
