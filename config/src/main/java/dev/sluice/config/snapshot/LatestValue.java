package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.yaml.YamlValue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The latest value of a key and what was read from it. Tasks of a matrix have the same values where nothing depends on
 * their parameters, so they share what is read, too.
 */
final class LatestValue<T> {

    private final Function<Field, @Nullable T> reader;
    private @Nullable YamlValue value;
    private @Nullable T read;

    LatestValue(Function<Field, @Nullable T> reader) {
        this.reader = reader;
    }

    /** Reads a value unless it is the latest one, compared by identity, and had no problem. */
    @Nullable T read(Field field) {
        if (value == null || field.value() != value) {
            int before = field.problemCount();
            read = reader.apply(field);
            value = field.problemCount() == before ? field.value() : null;
        }
        return read;
    }
}
