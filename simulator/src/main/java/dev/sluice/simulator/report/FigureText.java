package dev.sluice.simulator.report;

import dev.sluice.simulator.figures.Measure;
import java.util.List;
import java.util.Locale;

/**
 * Formats figures for people: {@code 3.2 h}, {@code 45 s}, {@code 87.5 %}. The script {@code format.js} uses the same
 * formats. A missing number is a dash.
 */
final class FigureText {

    static final String NONE = "–";
    private static final String SPACE = "\u00a0";
    private static final double PLAIN_MAX = 1e15;
    private static final List<String> BINARY = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB");

    private FigureText() {}

    /** Formats the value of a measure. */
    static String text(Measure.Unit unit, double value) {
        return switch (unit) {
            case DURATION -> duration(value);
            case RATIO -> number(value);
            case SHARE -> share(value);
            case INDEX -> index(value);
            case COUNT -> value == Math.rint(value) ? count((long) value) : number(value);
            case SLOT_TIME -> slotTime(value);
        };
    }

    /** Formats a time in the largest unit with a value of at least 1; hours up to two days. */
    static String duration(double seconds) {
        double size = Math.abs(seconds);
        if (size < 59.95) {
            return withUnit(seconds, "s");
        } else if (size < 59.95 * 60) {
            return withUnit(seconds / 60, "min");
        } else if (size < 47.95 * 3600) {
            return withUnit(seconds / 3600, "h");
        }
        return withUnit(seconds / 86_400, "d");
    }

    /** Formats a fraction as a percentage. */
    static String share(double part) {
        return withUnit(100 * part, "%");
    }

    /** Formats an index from 0 to 1 with three decimals. */
    static String index(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.3f", Math.round(value * 1000) / 1000.0) : NONE;
    }

    /** Formats slots × time. */
    static String slotTime(double slotSeconds) {
        return withUnit(slotSeconds / 3600, "slot" + SPACE + "h");
    }

    /** Formats an amount of a resource in base units. */
    static String amount(String type, double amount) {
        if (type.equals("vcore")) {
            return withUnit(amount / 1000, amount == 1000 ? "core" : "cores");
        } else if (!type.equals("memory")) {
            return withUnit(amount, type);
        }
        int power = 0;
        double scaled = amount;
        while (Math.abs(scaled) >= 1024 && power < BINARY.size() - 1) {
            scaled /= 1024;
            power++;
        }
        return withUnit(scaled, BINARY.get(power));
    }

    /** Formats a count with commas between thousands. */
    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Formats a count with its noun: {@code 1 task}, {@code 2 tasks}. */
    static String counted(long count, String word) {
        return count(count) + " " + word + (count == 1 ? "" : "s");
    }

    /** Formats a number with two decimals below 10, one below 100 and none above, without trailing zeros. */
    static String number(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return NONE;
        } else if (size >= PLAIN_MAX) {
            return exponential(value);
        } else if (size > 0 && size < 0.005) {
            return value < 0 ? "−<0.01" : "<0.01";
        }
        int decimals = size < 10 ? 2 : size < 100 ? 1 : 0;
        double power = Math.pow(10, decimals);
        long scaled = Math.round(size * power);
        StringBuilder text = new StringBuilder(value < 0 ? "−" : "").append(count(scaled / (long) power));
        long rest = scaled % (long) power;
        if (rest > 0) {
            String fraction = String.format(Locale.ROOT, "%0" + decimals + "d", rest);
            text.append('.').append(fraction.endsWith("0") ? fraction.substring(0, fraction.length() - 1) : fraction);
        }
        return text.toString();
    }

    private static String exponential(double value) {
        StringBuilder text = new StringBuilder();
        SignificantDigits.append(value, 3, text);
        return text.toString();
    }

    private static String withUnit(double value, String unit) {
        return Double.isFinite(value) ? number(value) + SPACE + unit : NONE;
    }
}
