package dev.sluice.simulator.simulation;

import dev.sluice.core.state.TaskGroup;
import dev.sluice.simulator.measure.TaskGroupRecorder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tasks of one specification of an application that has not ended. */
final class LiveGroup {

    final LiveApplication application;
    final TaskGroup group;
    final TaskGroupRecorder recorder;
    final long durationMillis;
    long waiting;
    private final BitSet startedOnce = new BitSet(0);
    private final Map<Integer, SimulatedRun> runs = new HashMap<>(2);

    LiveGroup(LiveApplication application, TaskGroup group, TaskGroupRecorder recorder, long durationMillis) {
        this.application = application;
        this.group = group;
        this.recorder = recorder;
        this.durationMillis = durationMillis;
        this.waiting = group.kind().size();
    }

    void placed(SimulatedRun run) {
        runs.put(run.index, run);
    }

    @Nullable SimulatedRun run(int index) {
        return runs.get(index);
    }

    @Nullable SimulatedRun remove(int index) {
        return runs.remove(index);
    }

    /** Returns the runs of the allocated tasks, by index. */
    List<SimulatedRun> runs() {
        List<SimulatedRun> all = new ArrayList<>(runs.values());
        all.sort((a, b) -> Integer.compare(a.index, b.index));
        return all;
    }

    /** Records the start of a task and returns whether it is its first. */
    boolean firstStarted(int index) {
        boolean first = !startedOnce.get(index);
        startedOnce.set(index);
        return first;
    }

    /** Returns the number of tasks that have started at least once. */
    int startedOnce() {
        return startedOnce.cardinality();
    }
}
