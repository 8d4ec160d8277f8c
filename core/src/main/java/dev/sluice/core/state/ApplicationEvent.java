package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.TaskSpec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event of an application. */
public sealed interface ApplicationEvent extends Event {

    /** Returns the id of the application. */
    String application();

    /** Returns the origin of the application. */
    ApplicationOrigin origin();

    /**
     * An application was submitted.
     *
     * @param spec what was submitted, without tasks; they follow in {@link TasksAdded}
     * @param queue the path of its leaf queue, or null if no queue accepted it
     * @param number the number after the name in a numbered id; 0 if the id was given
     */
    record Submitted(
            String partition,
            ApplicationSpec spec,
            @Nullable String queue,
            Instant at,
            long number) implements ApplicationEvent {

        /** Throws {@link IllegalArgumentException} if the number is negative. */
        public Submitted {
            if (number < 0) {
                throw new IllegalArgumentException("the number must be at least 0, not " + number);
            }
        }

        @Override
        public String application() {
            return spec.id();
        }

        @Override
        public ApplicationOrigin origin() {
            return new ApplicationOrigin(queue == null ? "" : queue, spec.user(), at);
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.submit(spec, queue, at, number);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.submitted(this);
        }
    }

    /** Tasks were added to an application. */
    record TasksAdded(String partition, String application, ApplicationOrigin origin, List<TaskSpec> tasks, Instant at)
            implements ApplicationEvent {

        public TasksAdded {
            tasks = List.copyOf(tasks);
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.addTasks(state.existing(partition, application), tasks);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.tasksAdded(this);
        }
    }

    /** An application was sealed: no more tasks can be added. */
    record Sealed(String partition, String application, ApplicationOrigin origin, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.seal(state.existing(partition, application));
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.sealed(this);
        }
    }

    /** An application was held: it starts no tasks until it is released. */
    record Held(String partition, String application, ApplicationOrigin origin, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.setHeld(state.existing(partition, application), true);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.held(this);
        }
    }

    /** A held application was released. */
    record HoldReleased(String partition, String application, ApplicationOrigin origin, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.setHeld(state.existing(partition, application), false);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.holdReleased(this);
        }
    }

    /** An application was changed; tasks on nodes keep what they have. */
    record Updated(String partition, String application, ApplicationOrigin origin, ApplicationUpdate update, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.update(state.existing(partition, application), update);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.updated(this);
        }
    }

    /**
     * An application no longer waits for another one, which has ended. If that one ended otherwise than required, this
     * one is cancelled next.
     *
     * @param awaited the id of the other application
     */
    record DependencyEnded(String partition, String application, ApplicationOrigin origin, String awaited, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.awaitNoLonger(state.existing(partition, application), awaited);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.dependencyEnded(this);
        }
    }

    /** The instant was reached before which an application must not start. */
    record StartTimeReached(String partition, String application, ApplicationOrigin origin, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.startTimeReached(state.existing(partition, application));
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.startTimeReached(this);
        }
    }

    /**
     * Tasks of an ended application are pending again, in the queue that now has the path of its queue; a change of its
     * state follows.
     *
     * @param all whether all tasks run again, or only those that failed or were stopped or dropped
     */
    record Retried(String partition, String application, ApplicationOrigin origin, boolean all, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.retry(state.existing(partition, application), all);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.retried(this);
        }
    }

    /**
     * An application changed its state.
     *
     * @param reason why, for people; empty if that is obvious
     */
    record StateChanged(
            String partition,
            String application,
            ApplicationOrigin origin,
            ApplicationState from,
            ApplicationState to,
            String reason,
            Instant at)
            implements ApplicationEvent {

        /** Checks the transition against the transition table. */
        public StateChanged {
            if (!from.mayBecome(to)) {
                throw new IllegalStateException(
                        "invalid transition of application " + application + " from " + from + " to " + to);
            }
        }

        @Override
        public void apply(SchedulerState state) {
            Application changed = state.existing(partition, application);
            if (changed.state() != from) {
                throw new IllegalStateException(application + " is " + changed.state() + ", not " + from);
            }
            state.existing(partition).applications.setState(changed, to, reason, at);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.stateChanged(this);
        }
    }

    /** The unallocated tasks of the group with this name were dropped: they never run and count as stopped. */
    record TasksDropped(
            String partition, String application, ApplicationOrigin origin, String tasks, String reason, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.dropUnallocated(state.existing(partition, application, tasks));
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.tasksDropped(this);
        }
    }

    /**
     * All members of a gang were allocated; the allocations come right before.
     *
     * @param members the number of members
     * @param waitingSince since when it waited
     */
    record GangStarted(
            String partition,
            String application,
            ApplicationOrigin origin,
            int members,
            Instant waitingSince,
            Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition, application);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.gangStarted(this);
        }
    }

    /** A gang has not started in time: its tasks are scheduled singly, or its application fails next. */
    record GangTimedOut(String partition, String application, ApplicationOrigin origin, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.gangTimedOut(state.existing(partition, application));
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.gangTimedOut(this);
        }
    }
}
