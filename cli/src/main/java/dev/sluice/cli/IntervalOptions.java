package dev.sluice.cli;

import dev.sluice.config.field.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select an interval of time. */
final class IntervalOptions {

    private static final String TIME =
            " a time (2026-11-01T08:00:00Z), a date (2026-11-01), or a duration before now (7d).";

    @Option(names = "--from", paramLabel = "TIME", description = "Beginning:" + TIME + " Default: all.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "End, exclusive; like --from. Default: now.")
    private @Nullable String to;

    @Option(names = "--month", paramLabel = "MONTH", description = "A whole month, such as 2026-11.")
    private @Nullable String month;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description =
                    "Time zone of dates, months and times without an offset, such as Europe/Berlin. Default: UTC.")
    private String zone = "UTC";

    /** An interval; null is unlimited. */
    record Interval(@Nullable Instant from, @Nullable Instant to) {}

    /** Returns the interval; throws {@link UserException} if the options are invalid. */
    Interval interval(Instant now) {
        ZoneId in = zoneId();
        if (month != null) {
            if (from != null || to != null) {
                throw new UserException("--month and --from or --to are mutually exclusive");
            }
            try {
                YearMonth whole = YearMonth.parse(month);
                return new Interval(
                        whole.atDay(1).atStartOfDay(in).toInstant(),
                        whole.plusMonths(1).atDay(1).atStartOfDay(in).toInstant());
            } catch (DateTimeException e) {
                throw new UserException("--month must be a month such as 2026-11, not " + month);
            }
        }
        Instant begin = instant("--from", from, in, now);
        Instant end = instant("--to", to, in, now);
        if (begin != null && !begin.isBefore(end == null ? now : end)) {
            throw new UserException("--from must be before " + (end == null ? "now" : "--to"));
        }
        return new Interval(begin, end);
    }

    private ZoneId zoneId() {
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new UserException("--zone must be a time zone such as Europe/Berlin or +01:00, not " + zone);
        }
    }

    private static @Nullable Instant instant(String option, @Nullable String text, ZoneId zone, Instant now) {
        if (text == null) {
            return null;
        }
        try {
            if (text.length() == "2026-11-01".length() && text.charAt(4) == '-') {
                return LocalDate.parse(text).atStartOfDay(zone).toInstant();
            }
            if (text.indexOf('T') > 0) {
                boolean hasOffset = text.matches(".*T.*(Z|[+-][0-9:]+)");
                return hasOffset
                        ? OffsetDateTime.parse(text).toInstant()
                        : LocalDateTime.parse(text).atZone(zone).toInstant();
            }
            Duration before = DurationText.parse(text);
            return now.minus(before);
        } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
            throw new UserException(option + " must be a time such as 2026-11-01T08:00:00Z, a date such as 2026-11-01,"
                    + " or a duration before now such as 7d, not " + text);
        }
    }
}
