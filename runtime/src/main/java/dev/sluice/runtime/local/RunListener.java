package dev.sluice.runtime.local;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import java.util.List;

/** Watches a local run, on the thread that makes it. */
@FunctionalInterface
public interface RunListener {

    /**
     * Something was decided.
     *
     * @param events what, in order and already applied
     * @param state what is known now; to be read during the call alone
     */
    void decided(List<Event> events, SchedulerState state);
}
