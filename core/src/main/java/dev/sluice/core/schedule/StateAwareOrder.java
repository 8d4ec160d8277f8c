package dev.sluice.core.schedule;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.rank.RankedHeap;
import dev.sluice.core.state.Queue;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sort policy {@code stateaware}: the running applications and one that is starting, or one accepted application if
 * none is starting; in the order of (priority unless disabled, submission time, sequence number).
 *
 * <p>A starting application blocks accepted ones even if it has no pending tasks. The one accepted application keeps
 * its position for the whole cycle, even if none of its tasks fits. An accepted application none of whose tasks could
 * ever run, because no node, ready or not, is large enough and eligible or a maximum of its queues is smaller, does not
 * block others; nor does a gang that could not start if nothing else ran, see {@link GangCapacity}.
 */
final class StateAwareOrder implements LeafOrder {

    private final Queue leaf;
    private final Comparator<ApplicationSchedule> order;
    private final RankedHeap<ApplicationSchedule> running;
    private final RankedHeap<ApplicationSchedule> starting;
    private final RankedHeap<ApplicationSchedule> accepted;
    private boolean startingSkipped;
    private boolean acceptedSkipped;

    StateAwareOrder(Queue leaf) {
        this.leaf = leaf;
        this.order = SortedOrder.firstInFirstOut(leaf);
        this.running = new RankedHeap<>(order);
        this.starting = new RankedHeap<>(order);
        this.accepted = new RankedHeap<>(order);
    }

    @Override
    public void update(ApplicationSchedule application) {
        remove(application);
        if (application.isEligible()) {
            application.rankedPriority = application.priority();
            switch (application.application.state()) {
                case STARTING -> starting.put(application);
                case ACCEPTED -> {
                    if (application.isFeasible()) {
                        accepted.put(application);
                    }
                }
                default -> running.put(application);
            }
        }
    }

    @Override
    public void remove(ApplicationSchedule application) {
        running.remove(application);
        starting.remove(application);
        accepted.remove(application);
    }

    @Override
    public void skipped(ApplicationSchedule application) {
        startingSkipped |= application.application.state() == ApplicationState.STARTING;
        acceptedSkipped |= application.application.state() == ApplicationState.ACCEPTED;
    }

    @Override
    public void requeued(ApplicationSchedule application) {
        startingSkipped &= application.application.state() != ApplicationState.STARTING;
        acceptedSkipped &= application.application.state() != ApplicationState.ACCEPTED;
    }

    @Override
    public boolean beginCycle() {
        boolean anySkipped = startingSkipped || acceptedSkipped;
        startingSkipped = false;
        acceptedSkipped = false;
        return anySkipped;
    }

    @Override
    public @Nullable ApplicationSchedule next() {
        return earlier(running.first(), nextToStart());
    }

    @Override
    public long highestPriority() {
        long highest = Long.MIN_VALUE;
        List<ApplicationSchedule> eligible = running.elements();
        for (ApplicationSchedule application : leaf.usesPriorities() ? firstOf(eligible) : eligible) {
            highest = Math.max(highest, application.rankedPriority);
        }
        ApplicationSchedule nextToStart = nextToStart();
        return nextToStart == null ? highest : Math.max(highest, nextToStart.rankedPriority);
    }

    private static List<ApplicationSchedule> firstOf(List<ApplicationSchedule> applications) {
        return applications.isEmpty() ? applications : applications.subList(0, 1);
    }

    /** Returns the one application that may start beside the running ones, or null. */
    @Override
    public @Nullable ApplicationSchedule nextToStart() {
        if (leaf.startingApplications() > 0) {
            return startingSkipped ? null : starting.first();
        }
        return acceptedSkipped ? null : accepted.first();
    }

    private @Nullable ApplicationSchedule earlier(@Nullable ApplicationSchedule a, @Nullable ApplicationSchedule b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return order.compare(a, b) <= 0 ? a : b;
    }
}
