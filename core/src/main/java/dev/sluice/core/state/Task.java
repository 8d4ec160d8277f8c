package dev.sluice.core.state;

import dev.sluice.core.application.Deadline;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run of a task on a node, from its allocation to its end. */
public final class Task extends TimerSubject {

    /** Most recently started first: (not started yet, start, allocation), each descending. */
    public static final Comparator<Task> MOST_RECENT = Comparator.comparing(
                    (Task task) -> task.startedAt == null ? Instant.MAX : task.startedAt)
            .thenComparingLong(Task::sequence)
            .reversed();

    private final TaskGroup group;
    private final int index;
    private final TaskKind kind;
    private final long[] demand;
    private final Node node;
    private final int attempt;
    private final long sequence;
    private final Instant placedAt;
    private TaskState state;
    private @Nullable Instant startedAt;
    private @Nullable Duration timeout;
    private @Nullable StopReason stopReason;
    private @Nullable Suspension suspension;

    int nodePosition;

    Task(TaskGroup group, int index, Node node, int attempt, long sequence, boolean reserved, Instant placedAt) {
        this(group, index, group.kind(), group.demand(), node, attempt, sequence, reserved, placedAt);
    }

    private Task(
            TaskGroup group,
            int index,
            TaskKind kind,
            long[] demand,
            Node node,
            int attempt,
            long sequence,
            boolean reserved,
            Instant placedAt) {
        this.group = group;
        this.index = index;
        this.kind = kind;
        this.demand = demand;
        this.node = node;
        this.attempt = attempt;
        this.sequence = sequence;
        this.placedAt = placedAt;
        this.state = reserved ? TaskState.RESERVED : TaskState.STARTING;
    }

    /** Returns the group of identical tasks it belongs to. */
    public TaskGroup group() {
        return group;
    }

    /** Returns the specification as it was when the task was allocated. */
    public TaskKind kind() {
        return kind;
    }

    /** Returns whether the specification of its group has been changed since it was allocated. */
    public boolean hasFormerKind() {
        return !kind.equals(group.kind());
    }

    /** Returns its index in the group, from 0. */
    public int index() {
        return index;
    }

    /** Returns its id, unique in the application. */
    public String id() {
        return group.taskId(index);
    }

    /** Returns a reference to the task. */
    public TaskRef ref() {
        return group.ref(index);
    }

    /** Returns a reference to this run of the task. */
    public RunRef run() {
        return new RunRef(ref(), attempt);
    }

    /** Returns this run as events describe it. */
    public Allocation allocation() {
        return new Allocation(run(), node.name(), application().origin(), placedAt, startedAt);
    }

    public Application application() {
        return group.application();
    }

    public Node node() {
        return node;
    }

    /** Returns the number of this run of the task, from 1. */
    public int attempt() {
        return attempt;
    }

    /** Returns a number that increases with each allocation in the partition. */
    public long sequence() {
        return sequence;
    }

    /** Returns when it was allocated. */
    public Instant placedAt() {
        return placedAt;
    }

    /** Returns when it was reported as started, or null. */
    public @Nullable Instant startedAt() {
        return startedAt;
    }

    /**
     * Returns the timeout of this run: that of the task, otherwise that of its queue at the time when the run was
     * reported as started. Null before that and if there is no timeout.
     */
    public @Nullable Duration timeout() {
        return timeout;
    }

    /** Returns how long it has been suspended since it was reported as started. */
    public Duration suspendedTime(Instant now) {
        return suspension == null ? Duration.ZERO : suspension.total(startedAt, now);
    }

    public TaskState state() {
        return state;
    }

    /** Returns why it is being stopped, or null. */
    public @Nullable StopReason stopReason() {
        return stopReason;
    }

    /** Returns whether it was preempted: its capacity is already allocated to others, but it has not ended yet. */
    public boolean isPreempting() {
        return state == TaskState.PREEMPTING;
    }

    /** Returns whether it was preempted because its queue uses more than its maximum, not for another task. */
    public boolean isPreemptingForMaximum() {
        return isPreempting() && stopReason == StopReason.QUOTA;
    }

    /**
     * Returns the end of the time in which it is protected from preemption: {@link Instant#MIN} if it is not protected,
     * {@link Instant#MAX} if it is never preempted.
     */
    public Instant protectedUntil() {
        Queue queue = application().queue();
        if (!kind.attempts().preemptible() || queue.isPreemptionDisabled()) {
            return Instant.MAX;
        }
        Duration minimum = queue.minimumRuntime();
        return minimum.isZero() ? Instant.MIN : Deadline.after(startedAt == null ? placedAt : startedAt, minimum);
    }

    /** Returns whether its processes are halted until it is resumed or stopped. */
    public boolean isSuspended() {
        return state == TaskState.SUSPENDED;
    }

    /** Returns whether it must not start yet, because preempted tasks still occupy its capacity. */
    public boolean isReserved() {
        return state == TaskState.RESERVED;
    }

    /** Returns its resources, slots included, as a vector. Must not be modified. */
    public long[] demand() {
        return demand;
    }

    /** Returns the amount of this type that it requests. */
    public long demand(int type) {
        return Vectors.at(demand(), type);
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
        writeKind(sink);
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
        sink.flag(suspension != null);
        if (suspension != null) {
            suspension.writeTo(out);
        }
        out.timer(this);
    }

    private void writeKind(StateSink sink) {
        boolean former = hasFormerKind();
        sink.flag(former);
        if (former) {
            sink.kind(kind);
            sink.number(demand.length);
            for (long amount : demand) {
                sink.number(amount);
            }
        }
    }

    /** Reads the demand of a task whose group has another one now. */
    private static long[] readDemand(PartitionCheckpointReader in) {
        List<Long> amounts = new ArrayList<>();
        for (int left = in.number(1); left > 0; left--) {
            amounts.add(in.source().number());
        }
        return amounts.stream().mapToLong(Long::longValue).toArray();
    }

    /** Reads a task of this group and adds it to its node. */
    static Task readFrom(PartitionCheckpointReader in, TaskGroup group) {
        boolean former = in.hasApplicationControl() && in.source().flag();
        TaskKind kind = former ? in.source().kind() : group.kind();
        long[] demand = former ? readDemand(in) : group.demand();
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
        Task task = new Task(
                group, index, kind, demand, node, attempt, sequence, state == TaskState.RESERVED, in.instant());
        task.state = state;
        task.startedAt = in.optionalInstant();
        task.timeout = in.optionalDuration();
        task.stopReason = in.optionalConstant(StopReason.class);
        task.suspension = in.hasApplicationControl() && in.source().flag() ? Suspension.readFrom(in) : null;
        in.timer(task);
        node.restore(task, position);
        return task;
    }

    /** Creates a task of this group in its first run and adds it to its node. */
    static Task restore(TaskGroup group, int index, TaskState state, ApplicationProgress.Run run, Node node) {
        Task task = new Task(group, index, node, 1, run.sequence(), state == TaskState.RESERVED, run.placedAt());
        Instant started = run.startedAt();
        if (started != null) {
            task.started(started);
        }
        if (state == TaskState.SUSPENDED) {
            task.suspension = new Suspension(started == null ? run.placedAt() : started, Duration.ZERO);
        }
        task.state = state;
        task.stopReason = run.stopReason();
        node.restore(task);
        return task;
    }

    void started(Instant at) {
        startedAt = at;
        Duration own = kind.attempts().timeout();
        timeout = own != null ? own : application().queue().taskTimeout();
        if (state == TaskState.STARTING || state == TaskState.RESERVED) {
            state = TaskState.RUNNING;
        }
    }

    void released() {
        state = TaskState.STARTING;
    }

    void suspended(Instant at) {
        state = TaskState.SUSPENDED;
        suspension = new Suspension(at, suspendedTime(at));
    }

    void resumed(Instant at) {
        state = startedAt == null ? TaskState.STARTING : TaskState.RUNNING;
        suspension = new Suspension(null, suspendedTime(at));
    }

    void stopping(StopReason reason) {
        state = reason.isPreemption() || isPreempting() ? TaskState.PREEMPTING : TaskState.STOPPING;
        stopReason = reason;
    }

    @Override
    public String toString() {
        return application().id() + "/" + id();
    }
}
