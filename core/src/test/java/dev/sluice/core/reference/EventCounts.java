package dev.sluice.core.reference;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.ReservationEnd;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.TaskEvent;
import java.util.HashMap;
import java.util.Map;

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

    /** Tasks that had to leave a tainted node. */
    long evictions;

    /** Reserved tasks that were withdrawn because their node changed so that they may not start there. */
    long exclusions;

    /** Tasks that were preempted for guaranteed resources. */
    long guarantees;

    /** Tasks that were preempted for a higher priority. */
    long priorities;

    /** Tasks that were preempted because their queue exceeded its maximum. */
    long quotas;

    /** Queues that placement rules created and that got other quotas. */
    long quotasSet;

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

    /** Reservations that were made, those planned again because they were late, and those that ended with a start. */
    long reservations;

    long delayedReservations;

    /** Plans of reservations that were put off more than once. */
    long oftenDelayedReservations;

    long startedReservations;

    /** Tasks that were placed on nodes reserved for others. */
    long backfills;

    private final Map<String, String> nodesByQueue = new HashMap<>();

    private boolean queueCreated;

    /** Gangs that started. */
    long gangs;

    /** Gangs that did not start in time. */
    long gangTimeouts;

    /** Tasks that were stopped because another member was lost. */
    long gangStops;

    /** Steps in which a limit of a user or group prevented a task from starting. */
    long limited;

    void count(Event event) {
        if (event instanceof TaskEvent.Placed placed) {
            placements++;
            reservedPlacements += placed.reserved() ? 1 : 0;
            backfills += nodesByQueue.containsValue(placed.node())
                            && !placed.node()
                                    .equals(nodesByQueue.get(placed.origin().queue()))
                    ? 1
                    : 0;
        } else if (event instanceof TaskEvent.RetryDue) {
            retriesDue++;
        } else if (event instanceof ApplicationEvent.GangStarted) {
            gangs++;
        } else if (event instanceof ApplicationEvent.GangTimedOut) {
            gangTimeouts++;
        } else if (event instanceof ApplicationEvent.Updated) {
            updates++;
        } else if (event instanceof ApplicationEvent.Retried) {
            retriesInNewQueues += queueCreated ? 1 : 0;
        } else if (event instanceof TaskEvent.Released) {
            releases++;
        } else if (event instanceof TaskEvent.Stopping stopping) {
            stops += stopping.reason() == StopReason.REBALANCE ? 1 : 0;
            gangStops += stopping.reason() == StopReason.GANG ? 1 : 0;
            evictions += stopping.reason() == StopReason.TAINT ? 1 : 0;
            guarantees += stopping.reason() == StopReason.GUARANTEE ? 1 : 0;
            priorities += stopping.reason() == StopReason.PRIORITY ? 1 : 0;
            quotas += stopping.reason() == StopReason.QUOTA ? 1 : 0;
        } else if (event instanceof ReservationEvent.Made made) {
            reservations++;
            nodesByQueue.put(made.reservation().queue(), made.reservation().node());
            delayedReservations += made.reservation().overrun() == null ? 0 : 1;
            oftenDelayedReservations += made.reservation().delays() > 1 ? 1 : 0;
        } else if (event instanceof ReservationEvent.Ended ended) {
            nodesByQueue.remove(ended.reservation().queue());
            startedReservations += ended.reason() == ReservationEnd.STARTED ? 1 : 0;
        } else if (event instanceof PartitionEvent.Rebalanced) {
            rebalances++;
        } else if (event instanceof PartitionEvent.SpreadReturned) {
            spreadsReturned++;
        } else if (event instanceof PartitionEvent.QueueQuotasSet) {
            quotasSet++;
        }
        queueCreated = event instanceof PartitionEvent.QueueCreated;
    }

    void add(EventCounts others) {
        placements += others.placements;
        reservedPlacements += others.reservedPlacements;
        releases += others.releases;
        rebalances += others.rebalances;
        stops += others.stops;
        evictions += others.evictions;
        exclusions += others.exclusions;
        guarantees += others.guarantees;
        priorities += others.priorities;
        quotas += others.quotas;
        quotasSet += others.quotasSet;
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
        gangs += others.gangs;
        gangTimeouts += others.gangTimeouts;
        gangStops += others.gangStops;
        reservations += others.reservations;
        delayedReservations += others.delayedReservations;
        oftenDelayedReservations += others.oftenDelayedReservations;
        startedReservations += others.startedReservations;
        backfills += others.backfills;
    }

    @Override
    public String toString() {
        return placements + " placements (" + reservedPlacements + " reserved, " + releases + " released), "
                + rebalances
                + " rebalances (" + stops + " stops), " + guarantees + " preempted for guarantees, " + priorities
                + " for priorities, " + quotas + " for maxima, " + exclusions + " reserved tasks excluded, "
                + spreadsReturned + " spreads returned, " + draws
                + " draws, "
                + unstartable + " classes with what can never start, " + vainRebalances + " rebalances in vain, "
                + submissionTies
                + " steps with ties in submission, " + infeasible + " with applications that no node can hold, "
                + limited
                + " with limits reached, " + reservations + " reservations (" + delayedReservations + " late, "
                + oftenDelayedReservations + " more than once, "
                + startedReservations + " started, " + backfills + " backfills)";
    }
}
