package dev.sluice.core.schedule;

import org.jspecify.annotations.Nullable;

/** The order in which a leaf queue serves its applications: a sort policy, kept up to date. */
interface LeafOrder {

    /** Ranks an application anew, or takes it out if it is not in play. */
    void update(ApplicationSchedule application);

    /** Takes an application out, whatever its state. */
    void remove(ApplicationSchedule application);

    /** Takes note that an application was passed over for the rest of the cycle. */
    default void skipped(ApplicationSchedule application) {}

    /** Takes note that something of an application is offered again in the same cycle that was passed over because of a budget. */
    default void requeued(ApplicationSchedule application) {}

    /** Forgets what was noted in a cycle; returns whether anything was, so that more may be in play now. */
    default boolean beginCycle() {
        return false;
    }

    /** The application that is served next, or null. */
    @Nullable ApplicationSchedule next();

    /** The one application that is served although it does not run yet, where only one is; null in all other orders. */
    default @Nullable ApplicationSchedule nextToStart() {
        return null;
    }

    /** The highest priority among the applications that may be served; only when there is one. */
    long highestPriority();
}
