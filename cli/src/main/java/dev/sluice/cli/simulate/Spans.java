package dev.sluice.cli.simulate;

import java.util.Locale;

/** Spans of time as people say them, with two or three digits: {@code 0.4 s}, {@code 45 s}, {@code 12 min}, {@code 3.2 h}, {@code 14 d}. */
final class Spans {

    private Spans() {}

    static String text(double seconds) {
        if (seconds < 10) {
            return seconds == 0 ? "0 s" : number(seconds, 1, "s");
        }
        if (seconds < 60) {
            return number(seconds, 0, "s");
        }
        if (seconds < 3600) {
            return number(seconds / 60, seconds < 600 ? 1 : 0, "min");
        }
        if (seconds < 48 * 3600) {
            return number(seconds / 3600, 1, "h");
        }
        return number(seconds / 86_400, 1, "d");
    }

    private static String number(double value, int decimals, String unit) {
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, unit);
    }
}
