package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.field.Field;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The source of a task's run time. */
sealed interface DurationSource {

    /** Returns the duration for this row; null after a fault. */
    @Nullable Duration read(CsvRows row);

    /**
     * The same duration in every row.
     *
     * @param duration the duration
     */
    record ConstantDuration(Duration duration) implements DurationSource {

        @Override
        public Duration read(CsvRows row) {
            return duration;
        }
    }

    /**
     * A number in a column.
     *
     * @param column the column, from 0
     * @param unit the nanoseconds per unit
     */
    record ColumnDuration(int column, long unit) implements DurationSource {

        private static final BigDecimal NANOS_MAX =
                BigDecimal.valueOf(DurationText.DURATION_MAX.toSeconds()).movePointRight(9);

        @Override
        public @Nullable Duration read(CsvRows row) {
            String text = row.text(column);
            BigDecimal number = DecimalText.parse(text);
            BigDecimal nanos = number == null ? null : number.multiply(BigDecimal.valueOf(unit));
            if (nanos == null || nanos.signum() < 0 || nanos.compareTo(NANOS_MAX) > 0) {
                row.fail(
                        column,
                        text.isEmpty()
                                ? "empty field: expected a duration"
                                : Field.quoted(text) + " is not a valid duration: expected a number from 0 to "
                                        + DurationText.DURATION_MAX.toDays() + " days");
                return null;
            }
            return Duration.ofNanos(nanos.setScale(0, RoundingMode.FLOOR).longValueExact());
        }
    }

    /**
     * The time between two instants.
     *
     * @param from the start
     * @param to the end
     */
    record Span(TimeSource from, TimeSource to) implements DurationSource {

        @Override
        public @Nullable Duration read(CsvRows row) {
            Instant begin = from.read(row);
            Instant end = to.read(row);
            if (begin == null || end == null) {
                return null;
            }
            Duration duration = Duration.between(begin, end);
            if (duration.isNegative() || duration.compareTo(DurationText.DURATION_MAX) > 0) {
                row.fail(
                        to.column(),
                        "from " + Field.quoted(row.text(from.column())) + " to " + Field.quoted(row.text(to.column()))
                                + " is "
                                + (duration.isNegative()
                                        ? "a negative duration"
                                        : "more than " + DurationText.DURATION_MAX.toDays() + " days"));
                return null;
            }
            return duration;
        }
    }
}
