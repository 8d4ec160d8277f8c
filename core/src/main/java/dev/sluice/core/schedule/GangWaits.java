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

    /** A gang that did not fit. */
    private record Wait(GangTrial trial, GangProgress gang, long unallocated, long pending) {}

    GangWaits(NodeCapacityIndex index) {
        this.index = index;
    }

    void add(GangTrial trial, GangProgress gang) {
        waits.add(new Wait(
                trial,
                gang,
                gang.application().unallocated(),
                gang.application().pending()));
    }

    private boolean remains(Wait wait) {
        boolean unchanged = wait.trial.application.hasLeaf()
                && wait.gang.isWaiting()
                && wait.gang.application().unallocated() == wait.unallocated
                && wait.gang.application().pending() == wait.pending;
        if (!unchanged) {
            return false;
        }
        wait.trial.recount(index);
        return !wait.trial.mayFit(index); // if it may, what starts before it may leave other nodes to its members
    }

    /** Called after any event: gangs may fit now, or wait no more. */
    void stateChanged() {
        mayHaveChanged = true;
    }

    /** Moves the gangs that may be tried again to this list of skipped applications. */
    void release(List<ApplicationSchedule> applications) {
        boolean mayFit =
                mayHaveChanged || !index.backfill().isEmpty(); // who may use reserved nodes depends on the time
        mayHaveChanged = false;
        if (waits.isEmpty() || !mayFit) {
            return;
        }
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
