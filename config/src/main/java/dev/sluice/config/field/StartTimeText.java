package dev.sluice.config.field;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * Reads start times: {@code 2026-12-01T02:00} in a time zone, {@code 2026-12-01T02:00:00Z}, the same with an offset such
 * as {@code +01:00}, or {@code +2h} after an instant.
 */
public final class StartTimeText {

    /** Examples of start times, for messages. */
    public static final String EXAMPLES = "2026-12-01T02:00, 2026-12-01T02:00:00Z or +2h";

    private StartTimeText() {}

    /**
     * Reads a start time.
     *
     * @param now the instant to which a duration is added
     * @param zone the time zone of times without offset
     * @throws IllegalArgumentException if the text is not a start time; the message says how to write one
     */
    public static Instant parse(String text, Instant now, ZoneId zone) {
        if (text.startsWith("+")) {
            try {
                return InstantText.inRange(now.plus(DurationText.parse(text.substring(1))));
            } catch (DateTimeException | ArithmeticException e) {
                throw new IllegalArgumentException(Field.quoted(text) + " is too late: must be before year 10000", e);
            }
        }
        try {
            return InstantText.parse(text);
        } catch (DateTimeException withoutOffset) {
            try {
                return InstantText.inRange(
                        LocalDateTime.parse(text.replace(' ', 'T')).atZone(zone).toInstant());
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(Field.quoted(text) + " is not a time such as " + EXAMPLES, e);
            }
        }
    }
}
