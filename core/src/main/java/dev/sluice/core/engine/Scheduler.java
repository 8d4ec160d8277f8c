package dev.sluice.core.engine;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.LoadWorkers;
import dev.sluice.core.share.UsageFigures;
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
 * Decides whose work runs next, where, and what must make way.
 *
 * <p>It takes commands and cycles, each with the instant at which it happens, and returns the events that follow, already applied.
 * It has no clock, no random source and no thread of its own, and belongs to one thread: the same calls give the same events, for
 * ever. Whoever keeps the events can {@linkplain #restore restore} the scheduler from them, and need not keep those before a checkpoint of
 * its state, which it can {@linkplain #fromCheckpoint begin with}.
 */
public final class Scheduler {

    private final SchedulerState state;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final CommandHandler commands;
    private final Map<String, PartitionSchedule> schedules = new HashMap<>();

    /** A scheduler that knows nothing yet. */
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
     * A scheduler that goes on where another one was when {@linkplain SchedulerState#writeTo a checkpoint} of its state was written;
     * what happened after that can be {@linkplain #restore restored} from its events.
     *
     * @throws IllegalStateException if the checkpoint is of a version that is not known here, or damaged
     */
    public static Scheduler fromCheckpoint(StateSource checkpoint) {
        return new Scheduler(SchedulerState.readFrom(checkpoint));
    }

    /** What is known; read it only between calls, on the thread that makes them. */
    public SchedulerState state() {
        return state;
    }

    /**
     * Carries out a command.
     *
     * @param now the instant at which it happens; not before that of an earlier call
     */
    public CommandResult handle(Command command, Instant now) {
        Refusal refusal = commands.handle(command, now);
        return new CommandResult(emitter.take(), refusal);
    }

    /**
     * Whether the last call threw when it had begun to change the state. Deciding changes nothing, so after a call that threw before that
     * all is as it was; after one that did not, what is known here is no longer what the events say, and this scheduler must not be
     * asked for anything more.
     */
    public boolean isPartiallyApplied() {
        return emitter.hasPendingEvents();
    }

    /**
     * Makes one pass over a partition: does what is due, and places what can be placed.
     *
     * @param now the instant at which it happens; not before that of an earlier call
     * @throws IllegalArgumentException if there is no such partition
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

    /** What the usage policy of its parent worked out for this queue when its last cycle began, or null. */
    public @Nullable UsageFigures usageOf(String partition, Queue queue) {
        PartitionSchedule schedule = schedules.get(partition);
        return schedule == null ? null : schedule.usageOf(queue);
    }

    /** The same, with the usage priority decayed to this instant. */
    public @Nullable UsageFigures usageOf(String partition, Queue queue, Instant now) {
        UsageFigures figures = usageOf(partition, queue);
        return figures == null
                ? null
                : figures.withPriority(
                        existing(partition).usage().priority(queue, now),
                        queue.configuration().properties().usage().factor());
    }

    /** What the load policy of its parent worked out for this queue when its last cycle began, or null. */
    public @Nullable LoadClassShare loadOf(String partition, Queue queue) {
        PartitionSchedule schedule = schedules.get(partition);
        return schedule == null ? null : schedule.loadOf(queue);
    }

    /** What the load policy of this queue had to divide when its last cycle began, or null. */
    public @Nullable LoadWorkers loadWorkersOf(String partition, Queue parent) {
        PartitionSchedule schedule = schedules.get(partition);
        return schedule == null ? null : schedule.loadWorkersOf(parent);
    }

    /** When this partition is due for a cycle even if nothing happens, or null. */
    public @Nullable Instant nextDue(String partition) {
        return Cycle.nextDue(existing(partition));
    }

    /** Applies events that were decided before: what a journal holds, or what stands for a snapshot. */
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
