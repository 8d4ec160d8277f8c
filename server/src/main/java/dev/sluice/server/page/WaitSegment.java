package dev.sluice.server.page;

import dev.sluice.server.api.PastWaitView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of the wait of a run, in which the reason was the same.
 *
 * @param reason the reason; empty if it is unknown
 * @param isExact whether the reason was read then, so that its times are worth showing
 */
record WaitSegment(Instant from, Instant to, String reason, boolean isExact) {

    /** Until how long after its beginning the first reason that was read is taken for that of the beginning. */
    private static final Duration FIRST_READ_MAX = Duration.ofMinutes(1);

    /**
     * Returns the segments of a wait.
     *
     * @param past the reasons that were read, latest first; those of other waits are left out
     * @param last the reason at the end of the wait; empty if only {@code past} knows it
     */
    static List<WaitSegment> of(Instant from, Instant to, List<PastWaitView> past, String last) {
        List<PastWaitView> read = new ArrayList<>();
        for (PastWaitView wait : past) {
            if (wait.from().isBefore(to)
                    && (wait.seen().isAfter(from) || !wait.from().isBefore(from))) {
                read.add(0, wait);
            }
        }
        if (read.isEmpty()) {
            return List.of(new WaitSegment(from, to, last, false));
        }
        List<WaitSegment> segments = new ArrayList<>();
        Instant begin = from;
        Instant first = read.get(0).from();
        if (first.isAfter(from.plus(FIRST_READ_MAX))) {
            segments.add(new WaitSegment(from, first, "", false));
            begin = first;
        }
        for (int i = 0; i < read.size(); i++) {
            boolean isLast = i == read.size() - 1;
            Instant end = isLast ? to : read.get(i + 1).from();
            String reason = isLast && !last.isEmpty() ? last : read.get(i).detail();
            segments.add(new WaitSegment(begin, end, reason, true));
            begin = end;
        }
        return segments;
    }

    /** Returns what follows the word that the run waited. */
    String text() {
        return (reason.isEmpty() ? "" : ": " + reason)
                + (isExact ? ", " + Figures.exact(from) + " to " + Figures.exact(to) : "");
    }
}
