package dev.sluice.cli.answer;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Formats amounts, fractions and times. */
public final class Texts {

    private static final DateTimeFormatter FULL = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final long MEBI = 1 << 20;

    /** Amounts below this are shown exactly. */
    private static final long AMOUNT_IN_FULL_MAX = 100 * MEBI;

    private Texts() {}

    /**
     * Returns amounts such as {@code memory 4Gi, vcore 2}, or a dash for none. Large amounts are rounded down to
     * mebibytes.
     */
    public static String amounts(@Nullable Map<String, Long> amounts) {
        if (amounts == null) {
            return "-";
        }
        SortedMap<String, Amount> shown = new TreeMap<>();
        amounts.forEach((type, value) -> {
            if (value > 0) {
                shown.put(type, new Amount(value < AMOUNT_IN_FULL_MAX ? value : value - value % MEBI));
            }
        });
        return shown.isEmpty() ? "-" : Resources.of(shown).toString();
    }

    /** Returns an amount of memory such as {@code 57Mi} or {@code 1.5Gi}, rounded up to mebibytes. */
    public static String memory(long bytes) {
        long mebibytes = (bytes + MEBI - 1) / MEBI;
        return mebibytes < 1024 ? mebibytes + "Mi" : decimal(mebibytes / 1024.0) + "Gi";
    }

    /** Returns a number with at most one decimal. */
    public static String decimal(double number) {
        String text = String.format(Locale.ROOT, "%.1f", number);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Returns a percentage such as {@code 12.5 %}. */
    public static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * part);
    }

    /** Returns the number, or a dash for 0 or null. */
    public static String orDash(@Nullable Number number) {
        return number == null || number.longValue() == 0 ? "-" : Long.toString(number.longValue());
    }

    /** Returns the text, or a dash for null. */
    public static String orDash(@Nullable String text) {
        return text == null || text.isEmpty() ? "-" : text;
    }

    /** Returns date and time in the local time zone, or a dash for null. */
    public static String time(@Nullable Instant at) {
        return at == null ? "-" : FULL.format(at.atZone(ZoneId.systemDefault()));
    }

    /** Returns the time of day in the local time zone. */
    public static String timeOfDay(Instant at) {
        return OF_DAY.format(at.atZone(ZoneId.systemDefault()));
    }

    /** Returns a duration such as {@code 45 s}, {@code 4 min} or {@code 2.5 h}, or a dash if an end is null. */
    public static String between(@Nullable Instant from, @Nullable Instant to) {
        if (from == null || to == null) {
            return "-";
        }
        long seconds = Math.max(0, Duration.between(from, to).toSeconds());
        if (seconds < 120) {
            return seconds + " s";
        }
        if (seconds < 2 * 3600) {
            return seconds / 60 + " min";
        }
        return seconds < 48 * 3600
                ? String.format(Locale.ROOT, "%.1f h", seconds / 3600.0)
                : String.format(Locale.ROOT, "%.1f d", seconds / 86400.0);
    }
}
