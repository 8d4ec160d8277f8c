package dev.sluice.server.page;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A bar that shows what is used, due and permitted of a whole.
 *
 * @param used the used fraction
 * @param due the fraction that is due, or null if nothing says so
 * @param max the maximum, as a fraction, or null if there is none
 * @param label what it shows, in words
 */
public record Bar(
        double used, @Nullable Double due, @Nullable Double max, String label) {

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.2f", Math.min(1, Math.max(0, fraction)) * 100);
    }

    /** Returns the width of the used part, in percent. */
    public String usedWidth() {
        return percent(used);
    }

    /** Returns the position of the mark for what is due, in percent; empty without one. */
    public String duePosition() {
        return due == null ? "" : percent(Math.min(due, 0.99));
    }

    /** Returns the width of the part that is permitted, in percent. */
    public String maxWidth() {
        return max == null ? "100" : percent(max);
    }

    /** Returns the bar of an amount. */
    static Bar of(String type, long used, @Nullable Long due, @Nullable Long max, long whole) {
        double total = Math.max(1, whole);
        String label = type + ": " + Figures.amount(type, used) + " of " + Figures.amount(type, whole) + " used"
                + (due == null ? "" : ", " + Figures.amount(type, due) + " due")
                + (max == null ? "" : ", at most " + Figures.amount(type, max));
        return new Bar(used / total, due == null ? null : due / total, max == null ? null : max / total, label);
    }
}
