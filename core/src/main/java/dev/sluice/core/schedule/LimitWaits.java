package dev.sluice.core.schedule;

import dev.sluice.core.state.ApplicationLimits;
import dev.sluice.core.state.LimitUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What waits for a limit of a user or group and stays skipped from one cycle to the next, so that a cycle does not
 * visit every application of every user at a limit only to skip it again.
 *
 * <p>An entry is released as soon as its limit permits it. Only used where the order in which tasks are skipped makes
 * no difference.
 */
final class LimitWaits {

    private List<Wait> waits = new ArrayList<>();

    /** A skipped backlog, or a skipped application if the backlog is null, and the limit that prevents it. */
    private record Wait(
            ApplicationSchedule application, @Nullable Backlog backlog, ApplicationLimits limits, LimitUsage limit) {

        /** Returns whether the limit still applies and still prevents it. */
        boolean remains() {
            if (!application.hasLeaf() || application.application.limits() != limits) {
                return false;
            }
            return backlog == null
                    ? !application.application.isActive() && limit.isAtMaxApplications()
                    : !backlog.isEmpty()
                            && !application.application.isGangWaiting() // all its tasks decide about its priority
                            && limit.typeOverMax(backlog.equivalenceClass.demand) >= 0;
        }
    }

    void add(ApplicationSchedule application, @Nullable Backlog backlog, LimitUsage limit) {
        waits.add(new Wait(application, backlog, application.application.limits(), limit));
    }

    /** Moves what may be tried again to these lists of skipped backlogs and applications. */
    void release(List<Backlog> backlogs, List<ApplicationSchedule> applications) {
        List<Wait> remaining = new ArrayList<>(waits.size());
        for (Wait wait : waits) {
            if (wait.remains()) {
                remaining.add(wait);
            } else {
                move(wait, backlogs, applications);
            }
        }
        waits = remaining;
    }

    /** Moves what waits in some leaves to these lists, the first ones up to a number. */
    void releaseIn(Set<QueueSchedule> leaves, int max, List<Backlog> backlogs, List<ApplicationSchedule> applications) {
        List<Wait> remaining = new ArrayList<>(waits.size());
        int released = 0;
        for (Wait wait : waits) {
            if (released < max && wait.application.isIn(leaves)) {
                move(wait, backlogs, applications);
                released++;
            } else {
                remaining.add(wait);
            }
        }
        waits = remaining;
    }

    /** Moves everything to these lists. */
    void releaseAll(List<Backlog> backlogs, List<ApplicationSchedule> applications) {
        waits.forEach(wait -> move(wait, backlogs, applications));
        waits.clear();
    }

    private static void move(Wait wait, List<Backlog> backlogs, List<ApplicationSchedule> applications) {
        if (wait.backlog == null) {
            applications.add(wait.application);
        } else {
            backlogs.add(wait.backlog);
        }
    }
}
