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
 * Where an instant comes from.
 *
 * @param column the column, from 0
 * @param notation how it is written there
 */
record TimeSource(int column, Notation notation) {

    private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final int DATE_LENGTH_MAX = 100;

    /** How instants are written. */
    sealed interface Notation permits EpochOffset, Date {

        /** The instant; null if the text is none. */
        @Nullable Instant parse(String text);

        /** How to write it, for people. */
        String example();
    }

    /**
     * As a number counted from some instant, no more than some 290 years before or after it.
     *
     * @param since from when
     * @param unit nanoseconds of one
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
     * As a date; in UTC unless it says otherwise, at midnight unless it says when.
     *
     * @param pattern how, as {@link DateTimeFormatter} reads patterns
     * @param formatter that pattern
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

    /** The instant for this row; null after a fault. */
    @Nullable Instant read(CsvRows row) {
        if (row.isEmpty(column)) {
            row.fail(column, "there is nothing here: " + notation.example() + " is wanted");
            return null;
        }
        String text = row.text(column);
        Instant instant = notation.parse(text);
        if (instant == null || instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
            row.fail(column, Field.quoted(text) + " is no instant: " + notation.example() + " is wanted");
            return null;
        }
        return instant;
    }
}
