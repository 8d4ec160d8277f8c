package dev.sluice.core.schedule;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The applications of one leaf in the order of (submission time, sequence number), each with a number that represents
 * its position. Applications are compared far more often than they are added, and comparing numbers is faster than
 * comparing times and sequence numbers.
 *
 * <p>An application that is added at the end, the usual case, gets the last number plus a gap. One that is added in
 * between gets the middle of the gap. When a gap is used up, all applications are numbered again, which keeps their
 * order.
 */
final class SubmissionOrder {

    private static final long GAP = 1L << 40;

    private final TreeSet<ApplicationSchedule> order = new TreeSet<>(ApplicationSchedule::bySubmission);

    /** Adds an application and assigns its number. */
    void add(ApplicationSchedule application) {
        ApplicationSchedule last = order.isEmpty() ? null : order.last();
        order.add(application);
        boolean comesLast = last == null || ApplicationSchedule.bySubmission(last, application) < 0;
        if (comesLast && number(application, last, null)) {
            return;
        }
        ApplicationSchedule before = order.lower(application);
        ApplicationSchedule after = order.higher(application);
        if (!number(application, before, after)) {
            long next = 0;
            for (ApplicationSchedule each : order) {
                each.submissionRank = next;
                next += GAP;
            }
        }
    }

    /** Assigns a number between those of the neighbours; returns false if there is none left. */
    private static boolean number(
            ApplicationSchedule application,
            @Nullable ApplicationSchedule before,
            @Nullable ApplicationSchedule after) {
        if (before == null) {
            application.submissionRank = after == null ? 0 : after.submissionRank - GAP;
            return after == null || after.submissionRank >= Long.MIN_VALUE + GAP;
        }
        if (after == null) {
            application.submissionRank = before.submissionRank + GAP;
            return before.submissionRank <= Long.MAX_VALUE - GAP;
        }
        application.submissionRank = before.submissionRank + (after.submissionRank - before.submissionRank) / 2;
        return application.submissionRank > before.submissionRank;
    }

    void remove(ApplicationSchedule application) {
        order.remove(application);
    }
}
