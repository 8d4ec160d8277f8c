package dev.sluice.simulator.simulation;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.simulator.measure.TaskGroupRecorder;
import java.util.HashMap;
import java.util.Map;

/** The tasks of one specification of an application that has not ended. */
final class LiveGroup {

    final LiveApplication application;
    final TaskGroup group;
    final TaskGroupRecorder recorder;
    final long durationMillis;
    long waiting;
    private int startedOnce;

    /** Tasks none of whose runs has started so far, by index, with the number of these runs; usually empty. */
    private Map<Integer, Integer> unstartedRuns = Map.of();

    LiveGroup(LiveApplication application, TaskGroup group, TaskGroupRecorder recorder, long durationMillis) {
        this.application = application;
        this.group = group;
        this.recorder = recorder;
        this.durationMillis = durationMillis;
        this.waiting = group.kind().size();
    }

    /** Records the start of a run and returns whether it is the first one of its task that starts. */
    boolean firstStarted(RunRef run) {
        boolean first =
                run.attempt() == 1 + unstartedRuns.getOrDefault(run.task().position(), 0);
        startedOnce += first ? 1 : 0;
        return first;
    }

    /** Records that a run has ended before it was started. */
    void endedBeforeStart(RunRef run) {
        if (run.attempt() == 1 + unstartedRuns.getOrDefault(run.task().position(), 0)) {
            unstartedRuns = unstartedRuns.isEmpty() ? new HashMap<>() : unstartedRuns;
            unstartedRuns.put(run.task().position(), run.attempt());
        }
    }

    /** Returns the number of tasks that have started at least once. */
    int startedOnce() {
        return startedOnce;
    }
}
