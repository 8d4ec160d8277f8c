package dev.sluice.core.state;

import dev.sluice.core.application.StopReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happens to one task. A task is named by its application, the name of its specification and its index among the tasks of
 * that specification.
 */
public sealed interface TaskEvent extends Event {

    /** The application's id. */
    String application();

    /** The name of the task's specification. */
    String task();

    /** Which of the tasks of that specification, from 0. */
    int index();

    /**
     * A pending task was given a place. It is to be started there.
     *
     * @param reserved whether tasks that are preempting take the room yet: then it is to be started when {@link Released} follows
     */
    record Placed(
            String partition, String application, String task, int index, String node, boolean reserved, Instant at)
            implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            Partition placing = state.existing(partition);
            applyTo(placing, placing.existing(application, task), placing.nodes.existing(node));
        }

        /** Does what {@link #apply} does, for whoever knows what it names and need not look for it. */
        public void applyTo(Partition placing, TaskGroup group, Node on) {
            placing.tasks.place(group, index, on, reserved, at);
        }
    }

    /** What a reserved task waited for has left its node: it is to be started there. */
    record Released(String partition, String application, String task, int index, Instant at) implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.release(placed(state, this));
        }
    }

    /** A task was reported as started. */
    record Started(String partition, String application, String task, int index, Instant at) implements TaskEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.started(placed(state, this), at);
        }
    }

    /**
     * A task is to be stopped. It holds its place until it is reported as ended; only what is stopped for rebalancing gives its place
     * up at once, and is pending again when it has ended.
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
     * @param exitCode what its process answered, or null if that is not known
     * @param detail what was reported beyond that, for people; may be empty
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

    /** A task that holds no place will never run: it counts as stopped. */
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
                    event.application() + "/" + event.task() + "[" + event.index() + "] holds no place");
        }
        return task;
    }
}
