package dev.sluice.core.application;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What must happen before an application starts tasks.
 *
 * @param hold whether it is held: it starts nothing until it is released
 * @param notBefore the instant before which it starts nothing, or null
 */
public record StartConditions(boolean hold, @Nullable Instant notBefore) {

    /** The application may start at once. */
    public static final StartConditions NONE = new StartConditions(false, null);

    public StartConditions withHold(boolean newHold) {
        return new StartConditions(newHold, notBefore);
    }

    public StartConditions withNotBefore(@Nullable Instant instant) {
        return new StartConditions(hold, instant);
    }
}
