package dev.sluice.core.state;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event of one task. */
public sealed interface TaskEvent extends Event {

    /** Returns the task. */
    TaskRef task();

    /** Returns the origin of its application. */
    ApplicationOrigin origin();

    @Override
    default String partition() {
        return task().partition();
    }

    /** Returns the id of its application. */
    default String application() {
        return task().application();
    }

    /** An event of an allocated task. */
    sealed interface RunEvent extends TaskEvent {

        /** Returns the allocation as it was before the event. */
        Allocation allocation();

        /** Returns the run. */
        default RunRef run() {
            return allocation().run();
        }

        /** Returns the name of the node. */
        default String node() {
            return allocation().node();
        }

        @Override
        default TaskRef task() {
            return run().task();
        }

        @Override
        default ApplicationOrigin origin() {
            return allocation().origin();
        }
    }

    /**
     * A pending task was allocated on a node and must be started there.
     *
     * @param allocation the new allocation
     * @param reserved whether preempted tasks still occupy the capacity; then the task must not start before
     *     {@link Released}
     */
    record Placed(Allocation allocation, boolean reserved) implements RunEvent {

        @Override
        public Instant at() {
            return allocation.placed();
        }

        @Override
        public void apply(SchedulerState state) {
            Partition placing = state.existing(partition());
            applyTo(placing, placing.existing(application(), task().task()), placing.nodes.existing(node()));
        }

        /** Does the same as {@link #apply} without looking up what the event names. */
        public void applyTo(Partition placing, TaskGroup group, Node on) {
            placing.tasks.place(group, task().position(), on, reserved, at());
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.placed(this);
        }
    }

    /** The capacity of a reserved task is free now: the task must be started. */
    record Released(Allocation allocation, Instant at) implements RunEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .release(placed(state, allocation.run().task()));
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.released(this);
        }
    }

    /** A task was reported as started. */
    record Started(Allocation allocation, Instant at) implements RunEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .started(placed(state, allocation.run().task()), at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.started(this);
        }
    }

    /** A task was suspended: its processes must be halted until it is resumed or stopped. */
    record Suspended(Allocation allocation, Instant at) implements RunEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .suspended(placed(state, allocation.run().task()), at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.suspended(this);
        }
    }

    /** A suspended task was resumed: its processes must continue. */
    record Resumed(Allocation allocation, Instant at) implements RunEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .resumed(placed(state, allocation.run().task()), at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.resumed(this);
        }
    }

    /**
     * A task must be stopped. It stays allocated until it is reported as ended. Only a task that is preempted releases
     * its allocation at once; it is pending again when it has ended.
     *
     * @param beneficiary the task of the same partition for which it is preempted; null if there is none, or if it is
     *     not known
     */
    record Stopping(
            Allocation allocation,
            StopReason reason,
            @Nullable TaskRef beneficiary,
            Instant at) implements RunEvent {

        /** Creates the stop of a task without a beneficiary. */
        public Stopping(Allocation allocation, StopReason reason, Instant at) {
            this(allocation, reason, null, at);
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .stopping(placed(state, allocation.run().task()), reason, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.stopping(this);
        }
    }

    /**
     * One run of a task ended.
     *
     * @param exitCode the exit code of its process, or null if unknown
     * @param detail further information for people; may be empty
     * @param again whether the task runs again
     * @param retryAt when it is pending again, as a {@link RetryDue} will say; null: at once, or never
     * @param held the resources of the run, if those of the task have been changed since its allocation; else null
     */
    record Ended(
            Allocation allocation,
            TaskOutcome outcome,
            @Nullable Integer exitCode,
            String detail,
            boolean again,
            @Nullable Instant retryAt,
            @Nullable Resources held,
            Instant at)
            implements RunEvent {

        /** Creates the end of a run after which the task is pending again at once, or never. */
        public Ended(
                Allocation allocation,
                TaskOutcome outcome,
                @Nullable Integer exitCode,
                String detail,
                boolean again,
                Instant at) {
            this(allocation, outcome, exitCode, detail, again, null, null, at);
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .ended(placed(state, allocation.run().task()), outcome, again, retryAt, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.ended(this);
        }
    }

    /** The retry delay of a task has passed: it is pending again. */
    record RetryDue(TaskRef task, ApplicationOrigin origin, Instant at) implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .retryDue(state.existing(partition(), application(), task.task()), task.position());
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.retryDue(this);
        }
    }

    /** An unallocated task was dropped: it never runs and counts as stopped. */
    record Dropped(TaskRef task, ApplicationOrigin origin, String reason, Instant at) implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition())
                    .tasks
                    .drop(state.existing(partition(), application(), task.task()), task.position());
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.dropped(this);
        }
    }

    private static Task placed(SchedulerState state, TaskRef ref) {
        Task task =
                state.existing(ref.partition(), ref.application(), ref.task()).placed(ref.position());
        if (task == null) {
            throw new IllegalStateException(
                    ref.application() + "/" + ref.task() + "[" + ref.position() + "] is not allocated");
        }
        return task;
    }
}
