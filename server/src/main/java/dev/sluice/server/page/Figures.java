package dev.sluice.server.page;

import dev.sluice.core.resource.ResourceTypes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Figures as people read them. */
public final class Figures {

    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final DateTimeFormatter EXACT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final long SECONDS_SHOWN = 120;

    private Figures() {}

    /** Returns a count with separators, such as {@code 12,345}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Returns a fraction as a percentage, such as {@code 42 %}. */
    public static String percent(double fraction) {
        return fraction > 0 && fraction < 0.01
                ? "< 1 %"
                : String.format(Locale.ROOT, "%,d %%", Math.round(fraction * 100));
    }

    /** Returns a number with at most two decimals. */
    public static String decimal(double number) {
        String text = String.format(Locale.ROOT, "%,.2f", number);
        return text.replaceAll("\\.?0+$", "");
    }

    /** Returns an amount in base units with its unit, such as {@code 1.5 cores} or {@code 2 GiB}. */
    public static String amount(String type, long value) {
        if (type.equals(ResourceTypes.VCORE)) {
            return decimal(value / 1000.0) + (value == 1000 ? " core" : " cores");
        }
        if (!type.equals(ResourceTypes.MEMORY)) {
            return count(value);
        }
        double bytes = value;
        int unit = 0;
        while (Math.abs(bytes) >= 1024 && unit < BYTE_UNITS.length - 1) {
            bytes /= 1024;
            unit++;
        }
        return decimal(bytes) + " " + BYTE_UNITS[unit];
    }

    /** Returns what is used of a whole, such as {@code 1 of 4 cores}; a dash if there is nothing of the type. */
    public static String part(String type, Map<String, Long> used, Map<String, Long> whole) {
        long all = whole.getOrDefault(type, 0L);
        long part = used.getOrDefault(type, 0L);
        if (all == 0 && part == 0) {
            return "–";
        }
        String text = type.equals(ResourceTypes.VCORE) ? decimal(part / 1000.0) : amount(type, part);
        return text + " of " + amount(type, all);
    }

    /** Returns amounts by resource type, such as {@code vcore 1.5 cores, memory 2 GiB}; a dash without amounts. */
    public static String amounts(Map<String, Long> amounts) {
        String text = amounts.entrySet().stream()
                .filter(amount -> amount.getValue() != 0)
                .map(amount -> amount.getKey() + " " + amount(amount.getKey(), amount.getValue()))
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "–" : text;
    }

    /** Returns what an amount of this type times hours is called, such as {@code core-hours}. */
    public static String hoursOf(String type) {
        return switch (type) {
            case ResourceTypes.VCORE -> "core-hours";
            case ResourceTypes.MEMORY -> "memory × hours";
            default -> type + "-hours";
        };
    }

    /** Returns an amount times hours, without decimals from 100 on; a dash for nothing. */
    public static String hours(String type, double amount) {
        if (amount == 0) {
            return "–";
        }
        if (type.equals(ResourceTypes.MEMORY)) {
            return amount(ResourceTypes.MEMORY, Math.round(amount)) + "-hours";
        }
        return amount < 100 ? decimal(amount) : count(Math.round(amount));
    }

    /** Returns a number of seconds as a duration. */
    public static String seconds(double seconds) {
        return duration(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    /** Returns texts with commas between; a dash if there are none. */
    public static String list(Collection<String> texts) {
        return texts.isEmpty() ? "–" : String.join(", ", texts);
    }

    /** Returns pairs such as {@code disk=ssd} with commas between; a dash if there are none. */
    public static String pairs(Map<String, String> pairs) {
        return list(pairs.entrySet().stream()
                .map(pair -> pair.getKey() + "=" + pair.getValue())
                .toList());
    }

    /** Returns an instant to the second, in UTC. */
    public static String exact(Instant time) {
        return EXACT.format(time);
    }

    /** Returns an instant relative to another one, such as {@code 5 min ago}. */
    public static String relative(Instant time, Instant now) {
        Duration between = Duration.between(time, now);
        String text = duration(between.abs());
        return between.abs().toSeconds() == 0 ? "now" : between.isNegative() ? "in " + text : text + " ago";
    }

    /** Returns a duration in its largest suitable unit, such as {@code 3 h}. */
    public static String duration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < SECONDS_SHOWN) {
            return seconds + " s";
        }
        if (duration.toMinutes() < SECONDS_SHOWN) {
            return duration.toMinutes() + " min";
        }
        return duration.toHours() < 48 ? duration.toHours() + " h" : duration.toDays() + " d";
    }

    /** Returns a duration in its two largest units, such as {@code 1 h 30 min}. */
    public static String elapsed(Duration duration) {
        if (duration.toDays() > 0) {
            return units(duration.toDays(), "d", duration.toHoursPart(), "h");
        }
        if (duration.toHours() > 0) {
            return units(duration.toHours(), "h", duration.toMinutesPart(), "min");
        }
        if (duration.toMinutes() > 0) {
            return units(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
        }
        return duration.toSeconds() + " s";
    }

    private static String units(long large, String unit, int small, String smallUnit) {
        return large + " " + unit + (small == 0 ? "" : " " + small + " " + smallUnit);
    }
}
