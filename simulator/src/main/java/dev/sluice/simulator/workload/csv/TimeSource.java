package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import org.jspecify.annotations.Nullable;

/**
 * The source of an instant.
 *
 * @param column the column, from 0
 * @param notation the format of the column
 */
record TimeSource(int column, Notation notation) {

    private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final int DATE_LENGTH_MAX = 100;

    /** A format of instants. */
    sealed interface Notation permits EpochOffset, Date {

        /** Returns the instant; null if the text does not match. */
        @Nullable Instant parse(String text);

        /** Describes the format, for error messages. */
        String example();
    }

    /**
     * A number counted from an instant, at most about 290 years before or after it.
     *
     * @param since the instant
     * @param unit the nanoseconds per unit
     */
    record EpochOffset(Instant since, long unit) implements Notation {

        private static final BigDecimal NANOS_MAX = BigDecimal.valueOf(Long.MAX_VALUE);
        private static final long SECOND = 1_000_000_000L;

        @Override
        public @Nullable Instant parse(String text) {
            BigDecimal number = DecimalText.parse(text);
            BigDecimal nanos = number == null ? null : number.multiply(BigDecimal.valueOf(unit));
            if (nanos == null || nanos.abs().compareTo(NANOS_MAX) > 0) {
                return null;
            }
            long whole = nanos.setScale(0, RoundingMode.FLOOR).longValueExact();
            return since.plusSeconds(Math.floorDiv(whole, SECOND)).plusNanos(Math.floorMod(whole, SECOND));
        }

        @Override
        public String example() {
            return "a number";
        }
    }

    /**
     * A date; in UTC unless it has a zone, at midnight unless it has a time.
     *
     * @param pattern the pattern, as in {@link DateTimeFormatter}
     * @param formatter the formatter of that pattern
     */
    record Date(String pattern, DateTimeFormatter formatter) implements Notation {

        @Override
        public @Nullable Instant parse(String text) {
            if (text.length() > DATE_LENGTH_MAX) {
                return null;
            }
            try {
                TemporalAccessor parsed = formatter.parse(text.strip());
                if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
                    return Instant.from(parsed);
                }
                LocalDate date = parsed.query(TemporalQueries.localDate());
                LocalTime time = parsed.query(TemporalQueries.localTime());
                return date == null
                        ? null
                        : date.atTime(time == null ? LocalTime.MIDNIGHT : time).toInstant(ZoneOffset.UTC);
            } catch (DateTimeException e) {
                return null;
            }
        }

        @Override
        public String example() {
            return "a date such as " + pattern;
        }
    }

    /** Returns the instant for this row; null after a fault. */
    @Nullable Instant read(CsvRows row) {
        if (row.isEmpty(column)) {
            row.fail(column, "empty field: expected " + notation.example());
            return null;
        }
        String text = row.text(column);
        Instant instant = notation.parse(text);
        if (instant == null || instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
            row.fail(column, Field.quoted(text) + " is not a valid time: expected " + notation.example());
            return null;
        }
        return instant;
    }
}
