package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEnd;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@link ReservationPlanner} that reserves nodes for gangs that do not fit.
 *
 * <p>A gang for which there is no plan gets no reservation, and tasks behind it in its leaf may get one. Gangs get none
 * in the course of a cycle that begins with as many reservations as permitted, but at its end.
 */
public final class GangReservations {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final ReservationPlanner planner;
    private final GangStartSearch starts;

    /** The applications whose gangs wait, and some whose gangs do not any more. */
    private final Set<Application> gangs = new LinkedHashSet<>();

    private Instant now = Instant.MIN;
    private boolean full;

    GangReservations(
            Partition partition, PartitionSchedule schedule, ReservationPlanner planner, GangStartSearch starts) {
        this.partition = partition;
        this.schedule = schedule;
        this.planner = planner;
        this.starts = starts;
    }

    /** Called when an application, or what it waits for, has changed. */
    void applicationChanged(Application application) {
        starts.applicationChanged(application);
        if (application.isGangWaiting()) {
            gangs.add(application);
        } else {
            gangs.remove(application);
        }
    }

    /**
     * Begins a cycle. A gang that may get a reservation is tried even if nothing has changed since it was refused:
     * while it waits for the delay, it keeps what is behind it in its leaf from one.
     *
     * @param isFull whether there are as many reservations as permitted
     */
    void begin(Instant at, boolean isFull) {
        now = at;
        full = isFull;
        if (!full) {
            Set<String> ending = queuesWhoseHolderMayStart();
            schedule.releaseGangs(application -> mayReserve(application)
                    || ending.contains(application.queue().path()));
        }
    }

    /**
     * Returns the queues whose reservation may end in this cycle because its holder starts: then the next gang of the
     * queue may get one, and must be tried before those behind it.
     */
    private Set<String> queuesWhoseHolderMayStart() {
        Set<String> queues = new HashSet<>();
        for (Reservation reservation : partition.reservations().all()) {
            TaskGroup holder = Backfill.holder(partition, reservation);
            if (holder != null && schedule.mayStart(holder)) {
                queues.add(reservation.queue());
            }
        }
        return queues;
    }

    /** Lets the gangs for which reservations may be made be tried again. */
    void release() {
        schedule.releaseGangs(this::mayReserve);
    }

    /** Returns whether a reservation may be made for any gang. */
    boolean anyMayReserve() {
        gangs.removeIf(application -> application.isForgotten() || !application.isGangWaiting());
        for (Application application : gangs) {
            if (mayReserve(application)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a reservation may be made for the gang of an application, if it is refused. */
    private boolean mayReserve(Application application) {
        if (!application.isSchedulable()) {
            return false;
        }
        Reservation former =
                partition.reservations().ofQueue(application.queue().path());
        boolean may = former == null
                ? partition.reservations().all().size() < planner.max() && !starts.isVain(application)
                : mayOutrank(application, former);
        return may && planner.max() > 0 && application.isGangWaiting();
    }

    private boolean mayOutrank(Application application, Reservation former) {
        GangProgress gang = application.gang();
        List<GangProgress.Members> members =
                gang == null || !application.queue().usesPriorities() ? List.of() : gang.members();
        return !members.isEmpty() && planner.outranks(members.get(0).group(), former);
    }

    /** Called when no nodes fit a gang that quotas, limits and budgets permit. */
    public void refused(Candidate candidate, GangTrial trial) {
        if (!full && planner.max() > 0 && !planner.isConsidered(candidate.leaf)) {
            if (isExpected(candidate, trial) && planner.considerFirst(candidate)) {
                reserve(candidate, trial);
            }
        }
    }

    /** Returns whether a gang may get a reservation, and there is a plan for it. */
    private boolean isExpected(Candidate candidate, GangTrial trial) {
        Reservation former =
                partition.reservations().ofQueue(candidate.application().queue().path());
        return mayReplace(former, trial) && starts.isExpected(trial, former);
    }

    /** Returns the plan of a reservation for a gang, or null if it may get none. */
    private GangStartSearch.@Nullable Plan planOf(Candidate candidate, GangTrial trial) {
        Reservation former =
                partition.reservations().ofQueue(candidate.application().queue().path());
        return mayReplace(former, trial) ? starts.first(trial, former) : null;
    }

    /** Returns whether a reservation of a gang may take the place of this one, or be made if that is null. */
    private boolean mayReplace(@Nullable Reservation former, GangTrial trial) {
        return former == null
                ? partition.reservations().all().size() < planner.max()
                : planner.outranks(trial.members().get(0).group(), former);
    }

    /** Called before the members of a gang are allocated: ends its reservation. */
    public void starting(Application application) {
        Reservation own = ownReservation(application);
        if (own != null) {
            planner.end(own, ReservationEnd.STARTED);
        }
    }

    private @Nullable Reservation ownReservation(Application application) {
        Reservation own = partition.reservations().ofQueue(application.queue().path());
        TaskGroup holder = own == null ? null : Backfill.holder(partition, own);
        return holder != null && holder.application() == application ? own : null;
    }

    /** Returns the members of a gang on the nodes that are reserved for it, or null if they do not fit there. */
    @Nullable List<GangTrial.Member> placeReserved(GangTrial trial) {
        Reservation own = ownReservation(trial.application.application);
        return own == null ? null : trial.findOn(starts.nodes(own), schedule.capacityIndex());
    }

    /** Returns whether quotas and limits permit a gang that does not fit now, and a reservation may be made for it. */
    boolean isRefused(Candidate candidate, GangTrial trial) {
        Reservation former =
                partition.reservations().ofQueue(candidate.application().queue().path());
        return trial.isPending()
                && mayReplace(former, trial)
                && partition.throttleHeadroom() >= trial.size()
                && Replanning.isPermitted(candidate.application(), trial.demand())
                && schedule.place(trial) == null
                && starts.isExpected(trial, former);
    }

    /** Makes a reservation for a gang, if it may still get one. */
    void reserve(Candidate candidate, GangTrial trial) {
        GangStartSearch.Plan plan = planOf(candidate, trial);
        if (plan != null) {
            reserve(candidate, trial, plan);
        }
    }

    private void reserve(Candidate candidate, GangTrial trial, GangStartSearch.Plan plan) {
        Application application = candidate.application();
        Reservation former =
                partition.reservations().ofQueue(application.queue().path());
        if (former != null) {
            planner.end(former, ReservationEnd.OUTRANKED);
        }
        TaskGroup group = trial.members().get(0).group();
        planner.emit(new ReservationEvent.Made(
                new Reservation(
                        group.ref(group.nextIndex()),
                        application.origin(),
                        plan.capacity(),
                        plan.start(),
                        now,
                        0,
                        null),
                now));
        if (!plan.start().isAfter(now)) {
            planner.wake(now);
        }
    }
}
