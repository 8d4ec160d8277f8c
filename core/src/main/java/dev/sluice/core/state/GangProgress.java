package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.Deadline;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.StopReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the gang of an application has come: it waits until its members start together, or until its timeout.
 *
 * <p>It waits again whenever its application is Accepted again. Its timer, when the timeout has passed, follows from
 * the application and is not stored.
 */
public final class GangProgress extends TimerSubject {

    private final Application application;
    private final Gang gang;
    private boolean timedOut;
    private boolean restarting; // until no task is on a node any more

    GangProgress(Application application, Gang gang) {
        this.application = application;
        this.gang = gang;
    }

    /**
     * The members of one group that start with the gang.
     *
     * @param group the group
     * @param count their number, at least 1
     */
    public record Members(TaskGroup group, int count) {}

    public Application application() {
        return application;
    }

    public Gang gang() {
        return gang;
    }

    /** Returns whether no task may start unless all members do. */
    public boolean isWaiting() {
        return !timedOut && application.allocations() == 0 && anyUnfinished();
    }

    private boolean anyUnfinished() {
        for (String name : gang.tasks().keySet()) {
            TaskGroup group = application.group(name);
            if (group != null && group.unallocated() > 0) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether its timeout has passed, so that tasks start singly. */
    public boolean isTimedOut() {
        return timedOut;
    }

    /** Returns whether tasks are being stopped to start the gang again; no task starts until they have ended. */
    public boolean isRestarting() {
        return restarting;
    }

    /**
     * Returns the members that start together if it is waiting, in the order in which the tasks of an application
     * start. Members that have ended for good are not needed any more.
     */
    public List<Members> members() {
        List<Members> members = new ArrayList<>();
        for (Map.Entry<String, Integer> minimum : gang.tasks().entrySet()) {
            TaskGroup group = application.group(minimum.getKey());
            int count = group == null ? 0 : Math.min(minimum.getValue(), group.unallocated());
            if (group != null && count > 0) {
                members.add(new Members(group, count));
            }
        }
        members.sort(Comparator.comparing(
                        (Members each) -> -(long) each.group().kind().priority())
                .thenComparing(each -> each.group().expectedDuration(), Comparator.reverseOrder())
                .thenComparing(each -> each.group().index()));
        return members;
    }

    /**
     * Returns whether the gang must start again as a whole: a task has ended and runs again, and fewer members of its
     * group run or have succeeded than the minimum.
     */
    public boolean mustRestart(TaskGroup group) {
        Integer minimum = gang.tasks().get(group.name());
        if (gang.onLoss() != Gang.OnLoss.RESTART || timedOut || minimum == null) {
            return false;
        }
        int remaining = group.succeeded();
        for (Task task : group.placed()) {
            remaining += task.stopReason() == null ? 1 : 0;
        }
        return remaining < Math.min(minimum, group.kind().size() - group.failed() - group.stopped());
    }

    /**
     * Returns since when it waits: its application is Accepted and has pending tasks. Null if it is not waiting or has
     * no pending tasks.
     */
    public @Nullable Instant waitingSince() {
        Instant pending = application.pendingSince();
        if (pending == null || application.state() != ApplicationState.ACCEPTED || !isWaiting()) {
            return null;
        }
        return application.stateSince().isAfter(pending) ? application.stateSince() : pending;
    }

    /** Returns when its timeout passes, or null if it is not waiting or has no pending tasks. */
    public @Nullable Instant due() {
        Instant since = waitingSince();
        return since == null ? null : Deadline.after(since, gang.timeout());
    }

    /** Sets its timer anew, after its application has changed. */
    void update(Timers timers) {
        Instant due = due();
        if (timer != null && timer.due().equals(due)) {
            return;
        }
        timers.cancel(this);
        if (due != null) {
            timers.add(this, due);
        }
    }

    void setTimedOut(boolean isTimedOut) {
        timedOut = isTimedOut;
    }

    /** Called when a task is being stopped for this reason. */
    void stopping(@Nullable StopReason reason) {
        restarting |= reason == StopReason.GANG;
    }

    /** Called when none of its tasks is on a node any more. */
    void allEnded() {
        restarting = false;
    }

    /** Called when its application is Accepted: it waits for all members. */
    void reset() {
        timedOut = false;
        restarting = false;
    }

    /** Writes what does not follow from its application. */
    static void write(@Nullable GangProgress gang, StateSink sink) {
        sink.number(gang == null ? 0 : (gang.timedOut ? 1 : 0) + (gang.restarting ? 2 : 0));
    }

    static void read(@Nullable GangProgress gang, StateSource source) {
        long flags = source.number();
        if (gang == null ? flags != 0 : flags < 0 || flags > 3) {
            throw PartitionCheckpointReader.corrupt("impossible progress of a gang: " + flags);
        }
        if (gang != null) {
            gang.timedOut = (flags & 1) != 0;
            gang.restarting |= (flags & 2) != 0;
        }
    }

    @Override
    int timerRank() {
        return application.timerRank();
    }

    @Override
    int timerIndex() {
        return application.timerIndex();
    }

    /** Before the timer of the application. */
    @Override
    long timerSequence() {
        return -2;
    }

    @Override
    public String toString() {
        return "gang of " + application;
    }
}
