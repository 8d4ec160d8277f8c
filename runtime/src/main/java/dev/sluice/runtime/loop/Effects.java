package dev.sluice.runtime.loop;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import java.util.List;

/** Carries out what was decided, such as starting and stopping tasks. What comes of it is reported as commands. */
@FunctionalInterface
public interface Effects {

    /**
     * Carries out what these events ask for, which are safely in the journal, in order. It returns at once and does what takes time
     * elsewhere.
     *
     * @param state as it is after all of them; only to be read, and only now
     */
    void execute(List<Event> events, SchedulerState state);
}
