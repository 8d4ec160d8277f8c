package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happens to an application. */
public sealed interface ApplicationEvent extends Event {

    /** The application's id. */
    String application();

    /**
     * An application was submitted.
     *
     * @param spec what was submitted; its tasks follow in an event of their own
     * @param queue the leaf queue it was put in, or null if none took it
     */
    record Submitted(
            String partition,
            ApplicationSpec spec,
            @Nullable String queue,
            Instant at) implements ApplicationEvent {

        @Override
        public String application() {
            return spec.id();
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.submit(spec, queue, at);
        }
    }

    /** Tasks were added to an application. */
    record TasksAdded(String partition, String application, List<TaskSpec> tasks, Instant at)
            implements ApplicationEvent {

        /** Copies the list. */
        public TasksAdded {
            tasks = List.copyOf(tasks);
        }

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.addTasks(state.existing(partition, application), tasks);
        }
    }

    /** Nothing more will be added to an application. */
    record Sealed(String partition, String application, Instant at) implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).applications.seal(state.existing(partition, application));
        }
    }

    /**
     * An application went from one state to another.
     *
     * @param reason why, for people; empty if that is plain
     */
    record StateChanged(
            String partition, String application, ApplicationState from, ApplicationState to, String reason, Instant at)
            implements ApplicationEvent {

        /** Refuses what the transition table does not know. */
        public StateChanged {
            if (!from.mayBecome(to)) {
                throw new IllegalStateException(application + " cannot go from " + from + " to " + to);
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
    }

    /** The tasks of this name that hold no place will never run: they count as stopped. */
    record TasksDropped(String partition, String application, String tasks, String reason, Instant at)
            implements ApplicationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition).tasks.dropUnallocated(state.existing(partition, application, tasks));
        }
    }
}
