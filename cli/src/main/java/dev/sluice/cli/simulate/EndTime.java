package dev.sluice.cli.simulate;

import dev.sluice.config.field.DurationText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** The option {@code --until} of a simulation: a time, or a duration after the first submission. */
public final class EndTime {

    private EndTime() {}

    /**
     * Parses the end.
     *
     * @param first the first submission
     * @throws IllegalArgumentException with a cure if it is invalid or not after the first submission
     */
    public static Instant parse(String text, Instant first) {
        Instant end;
        try {
            end = Instant.parse(text);
        } catch (DateTimeParseException notAnInstant) {
            try {
                end = first.plus(DurationText.parse(text));
            } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
                throw new IllegalArgumentException(
                        "--until must be a time such as 2026-01-31T12:00:00Z, or a duration after the first"
                                + " submission such as 7d, not " + text,
                        e);
            }
        }
        if (!end.isAfter(first)) {
            throw new IllegalArgumentException("--until " + text + " must be after the first submission, " + first);
        }
        return end;
    }
}
