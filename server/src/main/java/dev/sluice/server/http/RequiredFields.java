package dev.sluice.server.http;

import dev.sluice.server.route.OptionalField;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that a parsed value has every record component that is not an {@link OptionalField}. */
public final class RequiredFields {

    private RequiredFields() {}

    /** Returns whether this record component may be omitted. */
    public static boolean isOptional(RecordComponent component) {
        return component.isAnnotationPresent(OptionalField.class);
    }

    /** Returns the path of a missing component, such as {@code reports[2].task}, or null. */
    static @Nullable String missingIn(Object value) {
        return missingIn(value, "");
    }

    private static @Nullable String missingIn(Object value, String path) {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                String missing = missing(list.get(i), path + "[" + i + "]");
                if (missing != null) {
                    return missing;
                }
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                String missing = missing(entry.getValue(), path + "." + entry.getKey());
                if (missing != null) {
                    return missing;
                }
            }
        } else if (value instanceof Record) {
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                Object field = of(component, value);
                String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
                String missing = field == null && isOptional(component) ? null : missing(field, name);
                if (missing != null) {
                    return missing;
                }
            }
        }
        return null;
    }

    private static @Nullable String missing(@Nullable Object value, String path) {
        return value == null ? path : missingIn(value, path);
    }

    private static @Nullable Object of(RecordComponent component, Object value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read record component " + component, e);
        }
    }
}
