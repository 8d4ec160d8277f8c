package dev.sluice.runtime.detached;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The output of {@code times} of a shell: a line for itself and one for the children it waited for, each with user and
 * system time, such as {@code 0m0.270000s 0m0.010000s}.
 */
final class ShellTimes {

    /** Some shells write the decimal point of the user's language. */
    private static final Pattern LINE =
            Pattern.compile("(\\d{1,9})m(\\d{1,9}[.,]\\d{1,9})s (\\d{1,9})m(\\d{1,9}[.,]\\d{1,9})s");

    private ShellTimes() {}

    /** Returns the processor time of the children, user and system; null if the text is not such an output. */
    static @Nullable Duration ofChildren(String text) {
        List<String> lines = text.lines().toList();
        Matcher matcher = LINE.matcher(lines.size() < 2 ? "" : lines.get(1));
        return matcher.matches()
                ? time(matcher.group(1), matcher.group(2)).plus(time(matcher.group(3), matcher.group(4)))
                : null;
    }

    /** Returns a time. Former versions of dash wrote all seconds after the minutes, not those of the last minute. */
    private static Duration time(String minutes, String seconds) {
        Duration part = Duration.ofNanos(
                new BigDecimal(seconds.replace(',', '.')).movePointRight(9).longValue());
        return part.compareTo(Duration.ofMinutes(1)) >= 0 ? part : part.plusMinutes(Long.parseLong(minutes));
    }
}
