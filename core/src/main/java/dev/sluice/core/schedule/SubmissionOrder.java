package dev.sluice.core.schedule;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The applications of one leaf by (submission time, sequence number), each with a number that stands for its place: applications are compared far more
 * often than they come and go, and numbers are compared without a look at times and texts.
 *
 * <p>Who comes last, which is the rule, gets a number well beyond the last one; who comes in between gets one from the middle of the gap. When a
 * gap is used up all numbers are given anew, which changes nobody's place.
 */
final class SubmissionOrder {

    private static final long GAP = 1L << 40;

    private final TreeSet<ApplicationSchedule> order = new TreeSet<>(ApplicationSchedule::bySubmission);

    /** Takes in an application and gives it its number. */
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

    /** Gives a number between those of the neighbours; returns whether there was one left. */
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

    /** Lets an application go. */
    void remove(ApplicationSchedule application) {
        order.remove(application);
    }
}
