package dev.sluice.config.field;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations: {@code 90s}, {@code 1h30m}, {@code 250ms}, {@code 2d}, {@code 1.5h}, {@code 0}. */
public final class DurationText {

    /** The maximum duration, about 273 years. */
    public static final Duration DURATION_MAX = Duration.ofDays(100_000);

    private static final Pattern PART = Pattern.compile("([0-9]{1,18})(\\.[0-9]{1,9})?([a-zA-Zµμ]*)");
    private static final int LENGTH_MAX = 60;
    private static final Map<String, Long> NANOS = nanos();

    private DurationText() {}

    private static Map<String, Long> nanos() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("d", 86_400_000_000_000L);
        units.put("h", 3_600_000_000_000L);
        units.put("m", 60_000_000_000L);
        units.put("s", 1_000_000_000L);
        units.put("ms", 1_000_000L);
        units.put("us", 1_000L);
        units.put("ns", 1L);
        return units;
    }

    /**
     * Reads a duration, which is never negative.
     *
     * @throws IllegalArgumentException if the text is not a duration; the message says why and how to write one
     */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (text.startsWith("-")) {
            throw new IllegalArgumentException(Field.quoted(text) + " is negative: a duration must be 0 or more");
        }
        Matcher matcher = PART.matcher(text);
        Duration total = Duration.ZERO;
        int position = 0;
        while (position < text.length()
                && text.length() <= LENGTH_MAX
                && matcher.find(position)
                && matcher.start() == position
                && isPart(text, matcher)) {
            total = total.plus(part(text, matcher));
            position = matcher.end();
        }
        if (position < text.length() || text.isEmpty()) {
            throw new IllegalArgumentException(Field.quoted(text) + " is not a duration such as 90s, 1h30m or 2d");
        }
        return total;
    }

    /** Returns whether the match is a number with a unit, or a number without a unit that makes up the whole text. */
    private static boolean isPart(String text, Matcher matcher) {
        return !matcher.group(3).isEmpty() || matcher.group().equals(text);
    }

    private static Duration part(String text, Matcher matcher) {
        String unit = matcher.group(3).replace('µ', 'u').replace('μ', 'u');
        if (unit.isEmpty()) {
            throw new IllegalArgumentException(
                    Field.quoted(text) + " has no unit: write " + text + "s for seconds or " + text + "m for minutes");
        }
        Long nanos = NANOS.get(unit);
        if (nanos == null) {
            throw new IllegalArgumentException(Field.quoted(text) + " has the unknown unit " + Field.quoted(unit)
                    + ": expected one of d, h, m, s, ms, us and ns");
        }
        try {
            Duration whole = Duration.ofNanos(nanos).multipliedBy(Long.parseLong(matcher.group(1)));
            String fraction = matcher.group(2);
            Duration duration =
                    fraction == null ? whole : whole.plusNanos(Math.round(Double.parseDouble("0" + fraction) * nanos));
            if (duration.compareTo(DURATION_MAX) <= 0) {
                return duration;
            }
        } catch (ArithmeticException e) {
            // reported below
        }
        throw new IllegalArgumentException(
                Field.quoted(text) + " is too long: the maximum is " + DURATION_MAX.toDays() + "d");
    }

    /** Writes a duration so that {@link #parse} returns the same one. */
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder();
        long days = duration.toDays();
        if (days > 0) {
            text.append(days).append('d');
        }
        long rest = duration.minusDays(days).toNanos();
        for (Map.Entry<String, Long> unit : NANOS.entrySet()) {
            if (rest >= unit.getValue()) {
                text.append(rest / unit.getValue()).append(unit.getKey());
                rest %= unit.getValue();
            }
        }
        return text.toString();
    }
}
