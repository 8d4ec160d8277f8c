package dev.sluice.core.schedule;

import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Changes;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEnd;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reserves nodes for tasks that no node fits, so that they do not starve behind smaller ones.
 *
 * <p>At the start of a cycle every reservation is checked and planned again. During the cycle, and after nothing fits
 * any more, the first task of each leaf that quotas and limits permit but no node fits gets a reservation, if its
 * application has waited for the delay of its queue: on the node on which it is expected to start first, among equal
 * ones the first in node order. {@link Backfill} says who may use a reserved node until then.
 *
 * <p>A gang gets one if its members do not fit together, on the nodes on which they are expected to fit first.
 * Constraints between tasks count as they are now.
 */
public final class ReservationPlanner {

    private static final int TRIES_MAX = 100;

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final NodeClasses nodeClasses;
    private final NodeCapacityIndex capacityIndex;
    private final Backfill backfill;
    private final StartSearch starts;
    private final GangStartSearch gangStarts;
    private final GangReservations gangs;

    private final Set<QueueSchedule> considered = new HashSet<>();

    private final Replanning replanning;

    private boolean changed = true;
    private boolean running;

    private Instant now = Instant.MIN;
    private @Nullable Instant due;
    private Consumer<Event> emitter = event -> {};

    ReservationPlanner(
            Partition partition,
            PartitionSchedule schedule,
            NodeClasses nodeClasses,
            NodeCapacityIndex capacityIndex,
            Backfill backfill) {
        this.partition = partition;
        this.schedule = schedule;
        this.nodeClasses = nodeClasses;
        this.capacityIndex = capacityIndex;
        this.backfill = backfill;
        this.starts = new StartSearch(partition, schedule.equivalenceClasses(), capacityIndex, this::wake);
        this.gangStarts = new GangStartSearch(
                partition, capacityIndex, schedule.equivalenceClasses().taskCounters(), starts);
        this.replanning = new Replanning(partition, schedule, starts, gangStarts);
        this.gangs = new GangReservations(partition, schedule, this, gangStarts);
        partition.applications().forEach(gangs::applicationChanged);
    }

    /** Called when events have changed the state. */
    void stateChanged() {
        changed = true;
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void allChanged() {
        replanning.allChanged();
        starts.allChanged();
        gangStarts.allChanged();
    }

    /** Called when tasks on nodes have changed. */
    void tasksChanged(Changes changes) {
        List<Node> nodes = changes.nodes();
        if (!backfill.isEmpty()) {
            replanning.nodesChanged(nodes);
            nodes.forEach(backfill::nodeChanged);
        }
        starts.tasksChanged(changes);
        gangStarts.nodesChanged(nodes);
    }

    /** Returns when a cycle is due without any event: when a delay ends or a reservation starts; null if never. */
    @Nullable Instant due() {
        return due;
    }

    /** Returns what concerns gangs. */
    public GangReservations gangs() {
        return gangs;
    }

    /** Returns the maximum number of reservations. */
    int max() {
        Integer max =
                partition.configuration().root().properties().reservation().max();
        return max == null ? ReservationProperties.MAX_DEFAULT : max;
    }

    /**
     * Begins a cycle: ends reservations that do not hold any more, and plans the others again.
     *
     * @param newEmitter emits the events of this cycle
     */
    public void begin(Instant at, Consumer<Event> newEmitter) {
        now = at;
        emitter = newEmitter;
        considered.clear();
        backfill.begin(at);
        starts.begin(at);
        gangStarts.begin(at);
        running = changed || (due != null && !due.isAfter(now));
        due = running ? null : due;
        changed = false; // what this cycle changes is considered again in the next one
        int kept = 0;
        boolean anyEmitted = false;
        for (Reservation reservation : List.copyOf(partition.reservations().all())) {
            ReservationEvent event =
                    kept < max() ? replanning.next(reservation, now) : ended(reservation, ReservationEnd.DISABLED);
            kept += event instanceof ReservationEvent.Ended ? 0 : 1;
            if (event != null) {
                emit(event);
                anyEmitted = true;
            }
        }
        if (anyEmitted) {
            schedule.requeue(); // gangs that were not reserved for may fit now
        }
        replanning.end();
        gangs.begin(now, kept >= max());
    }

    /** Called when no node fits a candidate that quotas, limits and budgets permit. */
    public void refused(Candidate candidate) {
        if (max() > 0 && !considered.contains(candidate.leaf) && isFeasible(candidate)) {
            considered.add(candidate.leaf);
            if (isDue(candidate)) {
                reserve(candidate);
            }
        }
    }

    private boolean isFeasible(Candidate candidate) {
        return nodeClasses.isFeasibleOnReadyNodes(candidate.backlog.equivalenceClass);
    }

    /** Considers a leaf in this cycle; returns whether a reservation for the candidate is due. */
    boolean considerFirst(Candidate candidate) {
        return considered.add(candidate.leaf) && isDue(candidate);
    }

    boolean isConsidered(QueueSchedule leaf) {
        return considered.contains(leaf);
    }

    private boolean isDue(Candidate candidate) {
        Instant end =
                pendingSince(candidate).plus(candidate.application().queue().reservationDelay());
        if (end.isAfter(now)) {
            boolean reserved = partition
                            .reservations()
                            .ofQueue(candidate.application().queue().path())
                    != null;
            if (reserved
                    || candidate.application().isGangWaiting()
                    || starts.mayBePlanned(candidate.backlog.equivalenceClass)) {
                wake(end);
            }
            return false;
        }
        return true;
    }

    private Instant pendingSince(Candidate candidate) {
        Instant since = candidate.application().pendingSince();
        return since == null ? now : since;
    }

    void wake(Instant at) {
        if (due == null || at.isBefore(due)) {
            due = at;
        }
    }

    /**
     * Reserves nodes for leaves that have not been considered in this cycle because nothing fits any more. Called after
     * all candidates that fit were allocated.
     */
    public void reserveForOthers() {
        schedule.sync();
        if ((running || changed) && max() > 0 && partition.throttleHeadroom() > 0 && mayReserve()) {
            boolean full = partition.reservations().all().size() >= max();
            gangs.release();
            schedule.requeue();
            List<Candidate> first = new ArrayList<>();
            for (QueueSchedule leaf : schedule.queues().leaves(leaf -> mayReserve(leaf, full))) {
                Candidate candidate = firstRefused(leaf);
                if (candidate != null && isDue(candidate)) {
                    first.add(candidate);
                }
            }
            first.sort(Comparator.comparing((Candidate candidate) -> pendingSince(candidate))
                    .thenComparing(candidate -> candidate.leaf.queue().path()));
            first.forEach(this::reserveFirst);
        }
        for (Reservation reservation : partition.reservations().all()) {
            if (reservation.start().isAfter(now)) {
                wake(reservation.start());
            }
        }
    }

    private boolean mayReserve(QueueSchedule leaf, boolean full) {
        return leaf.queue().pendingTasks() > 0
                && (!full || partition.reservations().ofQueue(leaf.queue().path()) != null)
                && !considered.contains(leaf)
                && PreemptionPhase.isServed(leaf);
    }

    /** Returns false if every pending task fits a node now, or none of the others is expected to fit at any time. */
    private boolean mayReserve() {
        if (!partition.reservations().isEmpty() || gangs.anyMayReserve()) {
            return true;
        }
        for (EquivalenceClass equivalenceClass : schedule.equivalenceClasses().all()) {
            if (equivalenceClass.uses > 0
                    && capacityIndex.first(equivalenceClass) == null
                    && starts.mayBePlanned(equivalenceClass)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the next candidate of a leaf that quotas and limits permit but no node fits, or null. */
    private @Nullable Candidate firstRefused(QueueSchedule leaf) {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            ApplicationSchedule application = leaf.applications().next();
            if (application == null) {
                return null;
            }
            Candidate candidate = application.next().candidate(leaf);
            GangTrial trial = schedule.waitingGang(candidate.application());
            if (trial != null) {
                if (gangs.isRefused(candidate, trial)) {
                    return candidate;
                }
                schedule.skipApplication(candidate);
                continue;
            }
            if (Replanning.isPermitted(candidate.application(), candidate.demand())
                    && isFeasible(candidate)
                    && schedule.firstFit(candidate) == null) {
                return candidate;
            }
            schedule.skip(candidate);
        }
        return null;
    }

    /** Makes a reservation for the first candidate of a leaf. */
    private void reserveFirst(Candidate candidate) {
        GangTrial trial = schedule.waitingGang(candidate.application());
        if (trial == null) {
            reserve(candidate);
        } else {
            gangs.reserve(candidate, trial);
        }
    }

    /** Makes a reservation for a task, unless there are enough, or its queue has one for a task that goes first. */
    private void reserve(Candidate candidate) {
        Application application = candidate.application();
        Queue queue = application.queue();
        Reservation former = partition.reservations().ofQueue(queue.path());
        if (former != null
                ? !outranks(candidate.group(), former)
                : partition.reservations().all().size() >= max()) {
            return;
        }
        EquivalenceClass equivalenceClass = candidate.backlog.equivalenceClass;
        if (former == null && starts.isUnplanned(equivalenceClass)) {
            return;
        }
        if (starts.isFreedByOne(equivalenceClass, former, queue.reservationDelay())) {
            return;
        }
        StartSearch.Plan plan = starts.first(equivalenceClass, former);
        if (plan == null) {
            return;
        }
        if (former != null) {
            end(former, ReservationEnd.OUTRANKED);
        }
        replanning.made(queue.path(), equivalenceClass);
        ApplicationOrigin origin = application.origin();
        TaskGroup group = candidate.group();
        emit(new ReservationEvent.Made(
                new Reservation(
                        group.ref(candidate.index()),
                        origin,
                        Replanning.capacity(plan.node(), group),
                        plan.start(),
                        now,
                        0,
                        null),
                now));
    }

    boolean outranks(TaskGroup group, Reservation former) {
        TaskGroup holder = Backfill.holder(partition, former);
        return holder != null
                && group.application().queue().usesPriorities()
                && group.kind().priority() > holder.kind().priority();
    }

    /** Called after the candidate was allocated: ends its reservation. */
    void placed(Candidate candidate) {
        if (!backfill.isEmpty()) {
            Reservation own = partition
                    .reservations()
                    .ofQueue(candidate.application().queue().path());
            if (own != null && backfill.isHolder(candidate, own)) {
                end(own, ReservationEnd.STARTED);
            }
        }
    }

    void end(Reservation reservation, ReservationEnd reason) {
        emit(ended(reservation, reason));
    }

    private ReservationEvent ended(Reservation reservation, ReservationEnd reason) {
        return new ReservationEvent.Ended(reservation, reason, now);
    }

    void emit(ReservationEvent event) {
        Reservation former =
                partition.reservations().ofQueue(event.reservation().queue());
        emitter.accept(event);
        backfill.reservationsChanged();
        schedule.sync();
        List<Node> freed = former == null ? List.of() : gangStarts.nodes(former);
        freed.forEach(capacityIndex::reservationChanged);
        replanning.freed(freed);
        starts.freed(freed);
        if (freed.isEmpty()) {
            capacityIndex.reservationChanged(null);
        }
    }
}
