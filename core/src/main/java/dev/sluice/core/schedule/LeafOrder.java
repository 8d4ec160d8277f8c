package dev.sluice.core.schedule;

import org.jspecify.annotations.Nullable;

/** The order in which a leaf queue offers its applications: a sort policy, updated incrementally. */
interface LeafOrder {

    /** Inserts an application or updates its rank; removes it if it is not eligible. */
    void update(ApplicationSchedule application);

    /** Removes an application, whatever its state. */
    void remove(ApplicationSchedule application);

    /** Called when an application is skipped for the rest of the cycle. */
    default void skipped(ApplicationSchedule application) {}

    /** Called when tasks of an application that were skipped because of a budget are requeued in the same cycle. */
    default void requeued(ApplicationSchedule application) {}

    /**
     * Forgets which applications were skipped in the last cycle; returns whether there were any, so that more may be
     * eligible now.
     */
    default boolean beginCycle() {
        return false;
    }

    /** Returns the next application, or null if none is eligible. */
    @Nullable ApplicationSchedule next();

    /**
     * Returns the one application that may start beside the running ones under {@code stateaware}; null under all other
     * sort policies.
     */
    default @Nullable ApplicationSchedule nextToStart() {
        return null;
    }

    /** Returns the highest priority among the eligible applications. Only defined if there is one. */
    long highestPriority();
}
