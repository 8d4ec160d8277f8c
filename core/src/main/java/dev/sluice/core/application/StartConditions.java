package dev.sluice.core.application;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What must happen before an application starts tasks.
 *
 * @param hold whether it is held: it starts nothing until it is released
 * @param notBefore the instant before which it starts nothing, or null
 * @param after how other applications must have ended, by id; in a submission also by name
 */
public record StartConditions(boolean hold, @Nullable Instant notBefore, Map<String, ApplicationCondition> after) {

    /** The application may start at once. */
    public static final StartConditions NONE = new StartConditions(false, null, Map.of());

    /** Copies the map in its order. */
    public StartConditions {
        after = after.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(after));
    }

    /** Returns whether the application must not start tasks as long as these conditions are unmet. */
    public boolean isBlocking() {
        return hold || notBefore != null || !after.isEmpty();
    }

    public StartConditions withHold(boolean newHold) {
        return new StartConditions(newHold, notBefore, after);
    }

    public StartConditions withNotBefore(@Nullable Instant instant) {
        return new StartConditions(hold, instant, after);
    }

    public StartConditions withAfter(Map<String, ApplicationCondition> applications) {
        return new StartConditions(hold, notBefore, applications);
    }

    /** Returns these conditions without the one on another application. */
    public StartConditions withoutAfter(String application) {
        Map<String, ApplicationCondition> others = new LinkedHashMap<>(after);
        others.remove(application);
        return withAfter(others);
    }
}
