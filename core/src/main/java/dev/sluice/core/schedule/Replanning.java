package dev.sluice.core.schedule;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ExpectedEnd;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeForecast;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEnd;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.ReservedCapacity;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a reservation at the start of a cycle: it remains, is planned again or ends.
 *
 * <p>For speed, a reservation is compared only with nodes that have changed since the last cycle, unless other tasks
 * decide about nodes; the result is the same as if all nodes were considered every time.
 */
final class Replanning {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final StartSearch starts;
    private final GangStartSearch gangStarts;
    private final Set<Node> changedNodes = new LinkedHashSet<>();

    /** Nodes that reservations considered earlier in this cycle must be compared with in the next one. */
    private final Set<Node> freedNodes = new LinkedHashSet<>();

    /** The queues whose reservations must be compared with all nodes when they are planned again. */
    private final Set<String> outdated = new HashSet<>();

    private boolean allChanged = true;

    Replanning(Partition partition, PartitionSchedule schedule, StartSearch starts, GangStartSearch gangStarts) {
        this.gangStarts = gangStarts;
        this.partition = partition;
        this.schedule = schedule;
        this.starts = starts;
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void allChanged() {
        allChanged = true;
    }

    /** Called when the tasks on these nodes have changed. */
    void nodesChanged(List<Node> nodes) {
        changedNodes.addAll(nodes);
    }

    /** Called when a reservation of these nodes has ended, or is now for others. */
    void freed(List<Node> nodes) {
        changedNodes.addAll(nodes);
        freedNodes.addAll(nodes);
    }

    /** Called when a reservation for a task of this class was made in a queue. */
    void made(String queue, EquivalenceClass equivalenceClass) {
        outdated.remove(queue);
        if (equivalenceClass.tasks.isActive()) {
            outdated.add(queue);
        }
    }

    /** Called after all reservations were considered. */
    void end() {
        changedNodes.clear();
        changedNodes.addAll(freedNodes);
        freedNodes.clear();
        allChanged = false;
    }

    /** Returns what happens to a reservation, or null if it remains as it is. */
    @Nullable ReservationEvent next(Reservation reservation, Instant now) {
        TaskGroup group = Backfill.holder(partition, reservation);
        if (group == null || isWithdrawn(reservation, group)) {
            return new ReservationEvent.Ended(reservation, ReservationEnd.WITHDRAWN, now);
        }
        Queue queue = group.application().queue();
        GangTrial trial = schedule.waitingGang(group.application());
        if (!isPermitted(group.application(), trial == null ? group.demand() : trial.demand())
                || !PreemptionPhase.isServed(schedule.queues().of(queue))) {
            return new ReservationEvent.Ended(reservation, ReservationEnd.NOT_PERMITTED, now);
        }
        return trial == null ? planAgain(reservation, group, now) : planAgain(reservation, trial, now);
    }

    private boolean isWithdrawn(Reservation reservation, TaskGroup group) {
        Application application = group.application();
        GangTrial trial = schedule.waitingGang(application);
        return group.pending() == 0
                || !application.isSchedulable()
                || !application.queue().path().equals(reservation.queue())
                || (trial != null
                        ? !trial.isPending()
                        : !reservation
                                .capacity()
                                .get(0)
                                .resources()
                                .equals(group.kind().resources()));
    }

    /** Returns whether quotas, and the limits of its user and group, permit another task of an application. */
    static boolean isPermitted(Application application, long[] demand) {
        boolean active = application.isActive()
                || (application.queue().firstQueueAtMaxApplications() == null
                        && application.limits().firstAtMaxApplications() == null);
        return active
                && application.limits().firstOverMax(demand) == null
                && application.queue().firstQueueOverMax(demand) == null;
    }

    private @Nullable ReservationEvent planAgain(Reservation reservation, TaskGroup group, Instant now) {
        EquivalenceClass equivalenceClass = schedule.equivalenceClasses().intern(group);
        Node node = partition.node(reservation.node());
        Instant current = node == null || !starts.mayHold(node, equivalenceClass, reservation)
                ? ExpectedEnd.NEVER
                : NodeForecast.startOn(node, group.demand(), now);
        if (current.equals(now)) {
            outdated.add(reservation.queue());
            return null; // it starts in this cycle, unless a share policy prevents it
        }
        StartSearch.Plan best =
                current.equals(ExpectedEnd.NEVER) || node == null ? null : new StartSearch.Plan(node, current);
        if (best != null && partition.isFirm(reservation)) {
            outdated.add(reservation.queue());
            return replanned(reservation, capacity(best.node(), group), best.start(), now);
        }
        boolean ruled = equivalenceClass.tasks.isActive();
        boolean all =
                outdated.remove(reservation.queue()) || ruled || allChanged || current.isAfter(reservation.start());
        if (ruled) {
            outdated.add(reservation.queue());
        }
        best = all
                ? starts.best(equivalenceClass, reservation, best)
                : starts.best(equivalenceClass, reservation, best, changedNodes);
        if (best == null) {
            return new ReservationEvent.Ended(reservation, ReservationEnd.NO_NODE, now);
        }
        return replanned(reservation, capacity(best.node(), group), best.start(), now);
    }

    /**
     * Plans the reservation of a gang again if its nodes are free sooner or later than planned. Other nodes are only
     * considered if it is later and not firm: to compare all sets of nodes each time would take too long.
     */
    private @Nullable ReservationEvent planAgain(Reservation reservation, GangTrial trial, Instant now) {
        GangStartSearch.Plan best = gangStarts.again(trial, reservation);
        if (best != null && best.start().equals(now)) {
            return null; // it starts in this cycle, unless a share policy prevents it
        }
        if (best == null || (best.start().isAfter(reservation.start()) && !partition.isFirm(reservation))) {
            GangStartSearch.Plan other = gangStarts.first(trial, reservation);
            best = other != null && (best == null || other.start().isBefore(best.start())) ? other : best;
        }
        if (best == null) {
            return new ReservationEvent.Ended(reservation, ReservationEnd.NO_NODE, now);
        }
        return replanned(reservation, best.capacity(), best.start(), now);
    }

    /** Returns that a reservation was planned again, or null if it remains as it is. */
    private @Nullable ReservationEvent replanned(
            Reservation reservation, List<ReservedCapacity> capacity, Instant start, Instant now) {
        if (start.equals(reservation.start()) && capacity.equals(reservation.capacity())) {
            return null;
        }
        boolean putOff = start.isAfter(reservation.start());
        return new ReservationEvent.Made(
                new Reservation(
                        reservation.task(),
                        reservation.origin(),
                        capacity,
                        start,
                        reservation.since(),
                        reservation.delays() + (putOff ? 1 : 0),
                        putOff ? overrun(reservation, now) : reservation.overrun()),
                now);
    }

    static List<ReservedCapacity> capacity(Node node, TaskGroup group) {
        return List.of(new ReservedCapacity(node.name(), group.kind().resources()));
    }

    /** Returns the first run allocated on its nodes that has not ended as expected, or null. */
    private @Nullable RunRef overrun(Reservation reservation, Instant now) {
        Task first = null;
        for (Node node : gangStarts.nodes(reservation)) {
            for (Task task : node.isReady() ? node.tasks() : List.<Task>of()) {
                boolean late =
                        !task.isPreempting() && !ExpectedEnd.planned(task, now).isAfter(now);
                if (late && (first == null || task.sequence() < first.sequence())) {
                    first = task;
                }
            }
        }
        return first == null ? null : first.run();
    }
}
