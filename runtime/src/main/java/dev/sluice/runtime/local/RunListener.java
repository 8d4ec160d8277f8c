package dev.sluice.runtime.local;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import java.util.List;

/** Observes a local run, on its thread. */
@FunctionalInterface
public interface RunListener {

    /**
     * Called after events were decided and applied.
     *
     * @param events the events, in order
     * @param state the current state; only valid during the call
     */
    void decided(List<Event> events, SchedulerState state);
}
