package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.field.Field;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where it comes from how long a task runs. */
sealed interface DurationSource {

    /** The duration for this row; null after a fault. */
    @Nullable Duration read(CsvRows row);

    /**
     * The same in every row.
     *
     * @param duration how long
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
     * @param unit nanoseconds of one
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
                                ? "there is nothing here: a duration is wanted"
                                : Field.quoted(text) + " is no duration: a number from 0 to that of "
                                        + DurationText.DURATION_MAX.toDays() + " days is wanted");
                return null;
            }
            return Duration.ofNanos(nanos.setScale(0, RoundingMode.FLOOR).longValueExact());
        }
    }

    /**
     * From one instant to another.
     *
     * @param from when it begins
     * @param to when it ends
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
                                        ? "less than no time"
                                        : "more than " + DurationText.DURATION_MAX.toDays() + " days"));
                return null;
            }
            return duration;
        }
    }
}
