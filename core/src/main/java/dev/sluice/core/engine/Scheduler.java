package dev.sluice.core.engine;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.share.ShareFigures;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.StateSource;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The decision engine, and the entry point of this module: decides which task runs next, on which node, and what is
 * preempted.
 *
 * <p>The caller passes in {@linkplain #handle commands} and triggers {@linkplain #cycle cycles}, each with the time at
 * which it happens. Both return the resulting events, which are already applied to the {@linkplain #state() state}. The
 * scheduler has no clock, no random source, no I/O and no threads, and must be used by one thread at a time. It is
 * deterministic: the same calls return the same events.
 *
 * <p>A caller that stores the events can {@linkplain #restore restore} the scheduler from them. Events before a
 * {@linkplain #fromCheckpoint checkpoint} of the state need not be kept.
 */
public final class Scheduler {

    private final SchedulerState state;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final CommandHandler commands;
    private final Map<String, PartitionSchedule> schedules = new HashMap<>();

    /** Creates a scheduler with an empty state. */
    public Scheduler() {
        this(new SchedulerState());
    }

    private Scheduler(SchedulerState state) {
        this.state = state;
        this.emitter = new Emitter(state);
        this.lifecycle = new Lifecycle(emitter);
        this.commands = new CommandHandler(state, emitter, lifecycle);
    }

    /**
     * Creates a scheduler from a {@linkplain SchedulerState#writeTo checkpoint} of another scheduler's state. Later
     * events can be {@linkplain #restore restored} on top.
     *
     * @throws IllegalStateException if the checkpoint is damaged or its version is not supported
     */
    public static Scheduler fromCheckpoint(StateSource checkpoint) {
        return new Scheduler(SchedulerState.readFrom(checkpoint));
    }

    /** Returns the current state. Read it only between calls, on the thread that makes the calls. */
    public SchedulerState state() {
        return state;
    }

    /**
     * Handles a command: validates it and applies it, or refuses it without any effect.
     *
     * @param now the current time; must not be before that of an earlier call
     */
    public CommandResult handle(Command command, Instant now) {
        Refusal refusal = commands.handle(command, now);
        return new CommandResult(emitter.take(), refusal);
    }

    /**
     * Returns whether the last call threw after it had begun to change the state. Deciding changes nothing, so a call
     * that throws earlier leaves the scheduler unchanged. After a partial change the state no longer matches the
     * returned events, and this scheduler must not be used any more.
     */
    public boolean isPartiallyApplied() {
        return emitter.hasPendingEvents();
    }

    /**
     * Runs one scheduling cycle ({@code Cycle}) over a partition: expires what is due and allocates the pending
     * tasks that fit.
     *
     * @param now the current time; must not be before that of an earlier call
     * @throws IllegalArgumentException if the partition does not exist
     */
    public List<Event> cycle(String partition, Instant now) {
        Partition scheduled = existing(partition);
        PartitionSchedule schedule = schedules.get(partition);
        if (schedule == null || !schedule.isOf(scheduled)) {
            schedule = new PartitionSchedule(scheduled);
            schedules.put(partition, schedule);
        }
        new Cycle(scheduled, schedule, emitter, lifecycle, now).run();
        return emitter.take();
    }

    /**
     * Returns what the share policy of the queue's parent computed for the queue at the start of the last cycle, or
     * null if there is nothing to report.
     *
     * @param now the time for which figures that change between cycles are returned, such as a decayed usage
     */
    public @Nullable ShareFigures figuresOf(String partition, Queue queue, Instant now) {
        PartitionSchedule schedule = schedules.get(partition);
        return schedule == null ? null : schedule.figuresOf(queue, now);
    }

    /**
     * Returns what the share policy of this queue divided at the start of the last cycle, or null if there is nothing
     * to report.
     */
    public @Nullable ShareFigures dividedBy(String partition, Queue parent) {
        PartitionSchedule schedule = schedules.get(partition);
        return schedule == null ? null : schedule.dividedBy(parent);
    }

    /**
     * Returns the time at which this partition needs a cycle even without a command, because a timer is due, tasks
     * may be preempted or a reservation is due then; null if there is none. Preemptions and reservations are known
     * after the first cycle.
     *
     * @throws IllegalArgumentException if the partition does not exist
     */
    public @Nullable Instant nextDue(String partition) {
        Instant timer = Cycle.nextDue(existing(partition));
        PartitionSchedule schedule = schedules.get(partition);
        return schedule == null ? timer : PartitionSchedule.earlier(timer, schedule.due());
    }

    /** Applies stored events, such as those of a journal. */
    public void restore(Iterable<? extends Event> events) {
        events.forEach(state::apply);
    }

    private Partition existing(String name) {
        Partition partition = state.partition(name);
        if (partition == null) {
            throw new IllegalArgumentException("partition " + name + " not found");
        }
        return partition;
    }
}
