package dev.sluice.core.state;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A task that stands on a node: one run of one task, from its placement to its end. */
public final class Task extends TimerSubject {

    private final TaskGroup group;
    private final int index;
    private final Node node;
    private final int attempt;
    private final long sequence;
    private final Instant placedAt;
    private TaskState state;
    private @Nullable Instant startedAt;
    private @Nullable Duration timeout;
    private @Nullable StopReason stopReason;

    int nodePosition;

    Task(TaskGroup group, int index, Node node, int attempt, long sequence, boolean reserved, Instant placedAt) {
        this.group = group;
        this.index = index;
        this.node = node;
        this.attempt = attempt;
        this.sequence = sequence;
        this.placedAt = placedAt;
        this.state = reserved ? TaskState.RESERVED : TaskState.STARTING;
    }

    /** The tasks it is one of. */
    public TaskGroup group() {
        return group;
    }

    /** Which of them it is, from 0. */
    public int index() {
        return index;
    }

    /** Its id, unique in its application. */
    public String id() {
        return group.taskId(index);
    }

    /** The application it belongs to. */
    public Application application() {
        return group.application();
    }

    /** Where it runs. */
    public Node node() {
        return node;
    }

    /** Which run of this task it is, from 1. */
    public int attempt() {
        return attempt;
    }

    /** Grows with each placement in the partition: what was placed later has the larger one. */
    public long sequence() {
        return sequence;
    }

    /** When it was given its place. */
    public Instant placedAt() {
        return placedAt;
    }

    /** When it was reported as started, or null. */
    public @Nullable Instant startedAt() {
        return startedAt;
    }

    /**
     * How long this run may take, settled when it was reported as started: what the task says, else what its queue said then. Null
     * before, and for as long as it likes.
     */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** Held, starting, running, stopping or preempting. */
    public TaskState state() {
        return state;
    }

    /** Why it is being stopped, or null. */
    public @Nullable StopReason stopReason() {
        return stopReason;
    }

    /** Whether its place is others' already. */
    public boolean isPreempting() {
        return state == TaskState.PREEMPTING;
    }

    /** Whether it must not be started yet, since others are preempting its place. */
    public boolean isReserved() {
        return state == TaskState.RESERVED;
    }

    /** What it takes, as a vector; not to be changed. */
    public long[] demand() {
        return group.demand();
    }

    @Override
    int timerRank() {
        return application().timerRank();
    }

    @Override
    int timerIndex() {
        return application().timerIndex();
    }

    @Override
    long timerSequence() {
        return sequence;
    }

    void writeTo(PartitionCheckpointWriter out) {
        StateSink sink = out.sink();
        sink.number(index);
        out.node(node);
        sink.number(nodePosition);
        sink.number(attempt);
        sink.number(sequence);
        out.constant(state);
        sink.instant(placedAt);
        out.optional(startedAt);
        out.optional(timeout);
        out.optionalConstant(stopReason);
        out.timer(this);
    }

    /** Reads a task of this group, which stands on its node then. */
    static Task readFrom(PartitionCheckpointReader in, TaskGroup group) {
        int index = in.count();
        Node node = in.node();
        int position = in.count();
        int attempt = in.number(1);
        long sequence = in.source().number();
        TaskState state = in.constant(TaskState.class);
        if (index >= group.kind().size() || !state.isBound()) {
            throw PartitionCheckpointReader.corrupt(
                    "task " + index + " of " + group + " is " + state.wireName() + " on node " + node);
        }
        Task task = new Task(group, index, node, attempt, sequence, state == TaskState.RESERVED, in.instant());
        task.state = state;
        task.startedAt = in.optionalInstant();
        task.timeout = in.optionalDuration();
        task.stopReason = in.optionalConstant(StopReason.class);
        in.timer(task);
        node.restore(task, position);
        return task;
    }

    void started(Instant at) {
        startedAt = at;
        Duration own = group.kind().attempts().timeout();
        timeout = own != null ? own : application().queue().taskTimeout();
        if (state == TaskState.STARTING || state == TaskState.RESERVED) {
            state = TaskState.RUNNING;
        }
    }

    void released() {
        state = TaskState.STARTING;
    }

    void stopping(StopReason reason) {
        state = reason == StopReason.REBALANCE || isPreempting() ? TaskState.PREEMPTING : TaskState.STOPPING;
        stopReason = reason;
    }

    @Override
    public String toString() {
        return application().id() + "/" + id();
    }
}
