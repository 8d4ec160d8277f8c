package dev.sluice.config.field;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Reads instants: {@code 2026-01-01T12:00:00Z}, or with an offset such as {@code +01:00}. */
public final class InstantText {

    private static final int LENGTH_MAX = 60;
    private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private InstantText() {}

    /** Reads an instant of the years 0 to 9999; throws {@link DateTimeParseException} for any other text. */
    public static Instant parse(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new DateTimeParseException("too long", text.substring(0, LENGTH_MAX), LENGTH_MAX);
        }
        String iso =
                text.length() > 10 && text.charAt(10) == ' ' ? text.substring(0, 10) + "T" + text.substring(11) : text;
        return inRange(OffsetDateTime.parse(iso).toInstant());
    }

    /** Returns an instant of the years 0 to 9999; throws {@link DateTimeParseException} for any other. */
    static Instant inRange(Instant instant) {
        if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
            throw new DateTimeParseException("out of range", instant.toString(), 0);
        }
        return instant;
    }
}
