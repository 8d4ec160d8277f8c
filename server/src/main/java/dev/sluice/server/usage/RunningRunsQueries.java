package dev.sluice.server.usage;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The queries of running runs in progress, which it informs of events. Queries begin and end on any thread. */
public final class RunningRunsQueries {

    private final List<RunningRunsQuery> current = new CopyOnWriteArrayList<>();
    private long last;

    /** @param last the last event of the state */
    public RunningRunsQueries(long last) {
        this.last = last;
    }

    /** Begins a query; the caller closes it. */
    public RunningRunsQuery begin(Function<SchedulerState, Partition> lookup) {
        RunningRunsQuery query = new RunningRunsQuery(this, lookup);
        current.add(query);
        return query;
    }

    void end(RunningRunsQuery query) {
        current.remove(query);
    }

    /** Informs the queries of an event. Only on the host's thread, with every event in order. */
    public void onEvent(long sequence, Event event, SchedulerState state) {
        last = sequence;
        current.forEach(query -> query.onEvent(event, state));
    }

    /** Returns the last event of the state. Only on the host's thread. */
    long last() {
        return last;
    }
}
