package dev.sluice.core.reference;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.TaskEvent;

/** Counts events that must occur for an agreement to be meaningful. */
final class EventCounts {

    /** Tasks that were placed. */
    long placements;

    /** Tasks that were reserved while their victims had not ended. */
    long reservedPlacements;

    /** Reserved tasks that were released. */
    long releases;

    /** Queues that rebalanced. */
    long rebalances;

    /** Tasks that were preempted for that. */
    long stops;

    /** Queues whose spread exceeded the threshold and returned by itself. */
    long spreadsReturned;

    /** Random draws. */
    long draws;

    /** Classes per cycle with pending tasks that could not start regardless of free capacity. */
    long unstartable;

    /** Parents per cycle that could have reclaimed loans but found no useful victims. */
    long vainRebalances;
    /** Steps in a leaf in which several eligible applications had the same submission time. */
    long submissionTies;

    /**
     * Steps in a leaf with sort policy {@code stateaware} in which an accepted application was skipped because it fits
     * no node.
     */
    long infeasible;

    /** Tasks whose retry delay has passed. */
    long retriesDue;

    /** Changes of applications. */
    long updates;

    /** Retries of applications whose queue was created again. */
    long retriesInNewQueues;

    private boolean queueCreated;

    /** Steps in which a limit of a user or group prevented a task from starting. */
    long limited;

    void count(Event event) {
        if (event instanceof TaskEvent.Placed placed) {
            placements++;
            reservedPlacements += placed.reserved() ? 1 : 0;
        } else if (event instanceof TaskEvent.RetryDue) {
            retriesDue++;
        } else if (event instanceof ApplicationEvent.Updated) {
            updates++;
        } else if (event instanceof ApplicationEvent.Retried) {
            retriesInNewQueues += queueCreated ? 1 : 0;
        } else if (event instanceof TaskEvent.Released) {
            releases++;
        } else if (event instanceof TaskEvent.Stopping stopping) {
            stops += stopping.reason() == StopReason.REBALANCE ? 1 : 0;
        } else if (event instanceof PartitionEvent.Rebalanced) {
            rebalances++;
        } else if (event instanceof PartitionEvent.SpreadReturned) {
            spreadsReturned++;
        }
        queueCreated = event instanceof PartitionEvent.QueueCreated;
    }

    void add(EventCounts others) {
        placements += others.placements;
        reservedPlacements += others.reservedPlacements;
        releases += others.releases;
        rebalances += others.rebalances;
        stops += others.stops;
        spreadsReturned += others.spreadsReturned;
        draws += others.draws;
        unstartable += others.unstartable;
        vainRebalances += others.vainRebalances;
        submissionTies += others.submissionTies;
        infeasible += others.infeasible;
        retriesDue += others.retriesDue;
        updates += others.updates;
        retriesInNewQueues += others.retriesInNewQueues;
        limited += others.limited;
    }

    @Override
    public String toString() {
        return placements + " placements (" + reservedPlacements + " reserved, " + releases + " released), "
                + rebalances
                + " rebalances (" + stops + " stops), " + spreadsReturned + " spreads returned, " + draws + " draws, "
                + unstartable + " classes with what can never start, " + vainRebalances + " rebalances in vain, "
                + submissionTies
                + " steps with ties in submission, " + infeasible + " with applications that no node can hold, "
                + limited
                + " with limits reached";
    }
}
