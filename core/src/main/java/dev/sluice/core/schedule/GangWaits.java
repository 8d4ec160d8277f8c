package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The gangs that did not fit and stay skipped from one cycle to the next, so that a cycle does not try each of them
 * only to skip it again.
 *
 * <p>A gang is released as soon as it may fit. Only used where the order in which tasks are skipped makes no
 * difference.
 */
final class GangWaits {

    private final NodeCapacityIndex index;
    private List<Wait> waits = new ArrayList<>();
    private boolean mayHaveChanged;

    /** A gang that did not fit at the instant {@code tried} of the {@link CapacityGrowth}. */
    private record Wait(GangTrial trial, GangProgress gang, long unallocated, long pending, long tried) {}

    GangWaits(NodeCapacityIndex index) {
        this.index = index;
    }

    void add(GangTrial trial, GangProgress gang) {
        waits.add(new Wait(
                trial,
                gang,
                gang.application().unallocated(),
                gang.application().pending(),
                index.growth().now()));
    }

    private boolean remains(Wait wait) {
        boolean unchanged = wait.trial.application.hasLeaf()
                && wait.gang.isWaiting()
                && wait.gang.application().unallocated() == wait.unallocated
                && wait.gang.application().pending() == wait.pending;
        boolean same = wait.tried == index.growth().now() && index.backfill().isEmpty();
        if (!unchanged || same) { // who may use reserved nodes also depends on the time
            return unchanged;
        }
        wait.trial.recount(index);
        return !wait.trial.mayFit(index);
    }

    /** Called after any event: gangs may fit now, or wait no more. */
    void stateChanged() {
        mayHaveChanged = true;
    }

    /** Moves the gangs that may be tried again to this list of skipped applications. */
    void release(List<ApplicationSchedule> applications) {
        if (waits.isEmpty() || (!mayHaveChanged && index.backfill().isEmpty())) {
            return;
        }
        mayHaveChanged = false;
        List<Wait> remaining = new ArrayList<>(waits.size());
        for (Wait wait : waits) {
            if (remains(wait)) {
                remaining.add(wait);
            } else {
                applications.add(wait.trial.application);
            }
        }
        waits = remaining;
    }

    /** Moves the gangs of these applications to this list. */
    void releaseIf(Predicate<Application> released, List<ApplicationSchedule> applications) {
        waits.removeIf(wait -> {
            boolean moves = released.test(wait.gang.application());
            if (moves) {
                applications.add(wait.trial.application);
            }
            return moves;
        });
    }

    /** Moves all gangs to this list. */
    void releaseAll(List<ApplicationSchedule> applications) {
        waits.forEach(wait -> applications.add(wait.trial.application));
        waits.clear();
    }
}
