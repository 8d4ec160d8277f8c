package dev.sluice.cli.simulate;

import java.util.Locale;

/**
 * Formats durations with two or three digits: {@code 0.4 s}, {@code 45 s}, {@code 12 min}, {@code 3.2 h},
 * {@code 14.0 d}. A value that would be rounded up to a whole larger unit is shown in that unit: {@code 1.0 h}, never
 * {@code 60 min}.
 */
final class Spans {

    private static final double MINUTE = 60;
    private static final double HOUR = 3_600;
    private static final double DAY = 86_400;

    private Spans() {}

    static String text(double seconds) {
        if (seconds < 0.05) {
            return seconds == 0 ? "0 s" : "< 0.1 s";
        }
        if (seconds < 59.5) {
            return number(seconds, seconds < 9.95 ? 1 : 0, "s");
        }
        double minutes = seconds / MINUTE;
        if (minutes < 59.5) {
            return number(minutes, minutes < 9.95 ? 1 : 0, "min");
        }
        double hours = seconds / HOUR;
        if (hours < 47.95) {
            return number(hours, 1, "h");
        }
        double days = seconds / DAY;
        return number(days, days < 99.95 ? 1 : 0, "d");
    }

    private static String number(double value, int decimals, String unit) {
        return String.format(Locale.ROOT, "%,." + decimals + "f %s", value, unit);
    }
}
