package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.field.Field;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The kind of values of a distribution: their notation and their bounds.
 *
 * @param reader reads one value; returns null after a problem
 * @param writer formats one value for messages
 * @param min the minimum value
 * @param maxDefault the default maximum of unbounded distributions; 0: the file must specify it
 */
record ValueKind(Function<Field, @Nullable Long> reader, LongFunction<String> writer, long min, long maxDefault) {

    /** Durations in milliseconds; shorter ones become 1 ms. */
    static final ValueKind DURATION = new ValueKind(
            ValueKind::millis,
            value -> DurationText.format(Duration.ofMillis(value)),
            0,
            Duration.ofDays(30).toMillis());

    /** Counts. */
    static final ValueKind COUNT =
            new ValueKind(field -> field.asLong(1, TaskSpec.COUNT_MAX), Long::toString, 1, 10_000);

    static final ValueKind PRIORITY = new ValueKind(
            field -> field.asLong(Integer.MIN_VALUE, Integer.MAX_VALUE), Long::toString, Integer.MIN_VALUE, 1_000_000);

    /** Returns the kind of amounts of this resource type, in base units. */
    static ValueKind of(String type) {
        return new ValueKind(field -> amount(type, field), value -> Quantity.format(type, new Amount(value)), 0, 0);
    }

    /** Reads a value; returns null after a problem. */
    @Nullable Long read(Field field) {
        return reader.apply(field);
    }

    /** Formats a value as in a file. */
    String written(long value) {
        return writer.apply(value);
    }

    private static @Nullable Long millis(Field field) {
        Duration duration = field.asDuration();
        if (duration == null) {
            return null;
        }
        return duration.plusNanos(999_999).toMillis();
    }

    private static @Nullable Long amount(String type, Field field) {
        String text = field.asText();
        try {
            return text == null ? null : (Long) Quantity.parse(type, text).value();
        } catch (QuantityException e) {
            field.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
