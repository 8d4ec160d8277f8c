package dev.sluice.cli.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats durations. */
final class RunDurations {

    private RunDurations() {}

    /** Returns the time between two instants, or a dash if one is null. */
    static String between(@Nullable Instant from, @Nullable Instant to) {
        return from == null || to == null ? "-" : text(Duration.between(from, to));
    }

    /** Returns a duration in whole units, such as {@code 3 s}, {@code 4 min} or {@code 2 h 07 min}. */
    static String rounded(Duration duration) {
        long seconds = (duration.toMillis() + 999) / 1000;
        long minutes = (seconds + 30) / 60;
        return seconds < 60 ? seconds + " s" : minutes < 60 ? minutes + " min" : text(Duration.ofMinutes(minutes));
    }

    /** Returns a duration such as {@code 3.2 s}, {@code 4 min 05 s} or {@code 2 h 07 min}. */
    static String text(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%d.%d s", seconds, duration.toMillisPart() / 100);
        }
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d min %02d s", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d h %02d min", seconds / 3600, seconds / 60 % 60);
    }
}
