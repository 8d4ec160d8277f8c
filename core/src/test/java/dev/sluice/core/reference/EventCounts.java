package dev.sluice.core.reference;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.TaskEvent;

/** How often something happened that must happen for agreement to mean anything. */
final class EventCounts {

    /** Tasks that were placed. */
    long placements;

    /** Those that were given a place that others were leaving yet. */
    long reservedPlacements;

    /** Those of them that were released. */
    long releases;

    /** Queues that rebalanced. */
    long rebalances;

    /** Tasks that were stopped for that. */
    long stops;

    /** Queues whose classes were too far apart and came back by themselves. */
    long spreadsReturned;

    /** Lots that were drawn. */
    long draws;

    /** Classes in a cycle with pending tasks that could not start whatever room there was. */
    long unstartable;

    /** Parents in a cycle that might have reclaimed loans and found no victims that would help. */
    long vainRebalances;
    /** Steps in a leaf in which several applications that may be served were submitted at one instant. */
    long submissionTies;

    /** Steps in a leaf sorted by {@code stateaware} in which an accepted application was left out because no node could ever hold it. */
    long infeasible;

    void count(Event event) {
        if (event instanceof TaskEvent.Placed placed) {
            placements++;
            reservedPlacements += placed.reserved() ? 1 : 0;
        } else if (event instanceof TaskEvent.Released) {
            releases++;
        } else if (event instanceof TaskEvent.Stopping stopping) {
            stops += stopping.reason() == StopReason.REBALANCE ? 1 : 0;
        } else if (event instanceof PartitionEvent.Rebalanced) {
            rebalances++;
        } else if (event instanceof PartitionEvent.SpreadReturned) {
            spreadsReturned++;
        }
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
    }

    @Override
    public String toString() {
        return placements + " placements (" + reservedPlacements + " reserved, " + releases + " released), "
                + rebalances
                + " rebalances (" + stops + " stops), " + spreadsReturned + " spreads returned, " + draws + " lots, "
                + unstartable + " classes with what can never start, " + vainRebalances + " rebalances in vain, "
                + submissionTies
                + " steps with ties in submission, " + infeasible + " with applications that no node can hold";
    }
}
