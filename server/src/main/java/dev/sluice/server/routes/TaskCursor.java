package dev.sluice.server.routes;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import org.jspecify.annotations.Nullable;

/**
 * The position in a list of tasks: first unfinished tasks, by the number already listed or skipped, then ended runs.
 *
 * @param passed the number of unfinished tasks listed or skipped
 * @param ended only runs that ended before this event; {@link Long#MAX_VALUE} for all
 */
record TaskCursor(long passed, long ended) {

    static TaskCursor of(@Nullable String text) {
        if (text == null) {
            return new TaskCursor(0, Long.MAX_VALUE);
        }
        try {
            if (text.startsWith("a")) {
                return new TaskCursor(Long.parseLong(text.substring(1)), Long.MAX_VALUE);
            }
            if (text.startsWith("e")) {
                return endedBefore(Long.parseLong(text.substring(1)));
            }
        } catch (NumberFormatException e) {
            throw unknown(text);
        }
        throw unknown(text);
    }

    private static ProblemException unknown(String text) {
        return ProblemException.of(
                ProblemKind.INVALID,
                "after must be the value of next of the previous page, not " + text + "; omit it for the first page");
    }

    static TaskCursor unfinished(long passed) {
        return new TaskCursor(passed, Long.MAX_VALUE);
    }

    static TaskCursor endedBefore(long before) {
        return new TaskCursor(Long.MAX_VALUE, before);
    }

    String text() {
        return passed == Long.MAX_VALUE ? "e" + ended : "a" + passed;
    }
}
