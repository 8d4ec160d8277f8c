package dev.sluice.core.state;

import dev.sluice.core.application.StopReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event of one task. The task is identified by its application, the name of its specification and its index among
 * the tasks of that specification.
 */
public sealed interface TaskEvent extends Event {

    String application();

    /** Returns the name of the task's specification. */
    String task();

    /** Returns the index among the tasks of that specification, from 0. */
    int index();

    /**
     * A pending task was allocated on a node and must be started there.
     *
     * @param reserved whether preempted tasks still occupy the capacity; then the task must not start before
     *     {@link Released}
     */
    record Placed(
            String partition, String application, String task, int index, String node, boolean reserved, Instant at)
            implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            Partition placing = state.existing(partition);
            applyTo(placing, placing.existing(application, task), placing.nodes.existing(node));
        }

        /** Does the same as {@link #apply} without looking up what the event names. */
        public void applyTo(Partition placing, TaskGroup group, Node on) {
            placing.tasks.place(group, index, on, reserved, at);
        }
    }

    /** The capacity of a reserved task is free now: the task must be started. */
    record Released(String partition, String application, String task, int index, Instant at) implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.release(placed(state, this));
        }
    }

    record Started(String partition, String application, String task, int index, Instant at) implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.started(placed(state, this), at);
        }
    }

    /**
     * A task must be stopped. It stays allocated until it is reported as ended. Only a task that is stopped for
     * rebalancing releases its allocation at once; it is pending again when it has ended.
     */
    record Stopping(String partition, String application, String task, int index, StopReason reason, Instant at)
            implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.stopping(placed(state, this), reason, at);
        }
    }

    /**
     * One run of a task ended.
     *
     * @param exitCode the exit code of its process, or null if unknown
     * @param detail further information for people; may be empty
     * @param again whether the task is pending again
     */
    record Ended(
            String partition,
            String application,
            String task,
            int index,
            TaskOutcome outcome,
            @Nullable Integer exitCode,
            String detail,
            boolean again,
            Instant at)
            implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.ended(placed(state, this), outcome, again, at);
        }
    }

    /** An unallocated task was dropped: it never runs and counts as stopped. */
    record Dropped(String partition, String application, String task, int index, String reason, Instant at)
            implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.drop(state.existing(partition, application, task), index);
        }
    }

    private static Task placed(SchedulerState state, TaskEvent event) {
        Task task = state.existing(event.partition(), event.application(), event.task())
                .placed(event.index());
        if (task == null) {
            throw new IllegalStateException(
                    event.application() + "/" + event.task() + "[" + event.index() + "] is not allocated");
        }
        return task;
    }
}
