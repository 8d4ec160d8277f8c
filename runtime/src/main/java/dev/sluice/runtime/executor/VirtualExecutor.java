package dev.sluice.runtime.executor;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.rank.Ranked;
import dev.sluice.core.rank.RankedHeap;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Executes runs in virtual time: a run succeeds after its duration, and ends at once if it is stopped. Nothing of it
 * survives the executor.
 *
 * <p>Time passes and reports are delivered only when the host asks for it: {@link #deliverNext} delivers what results
 * from calls, {@link #endNext} what results from time. Runs end in the order of (time, number of the allocation, order
 * of starts), so equal calls have equal reports. Not thread-safe.
 */
public final class VirtualExecutor implements Executor {

    private static final RunExit SUCCEEDED = RunExit.ended(0);
    private static final String STOPPED = "stopped";
    private static final String STOPPED_BEFORE = "stopped before it started";

    private final ExecutorListener listener;
    private final ToLongFunction<RunStart> durationMillis;
    private final Map<RunRef, VirtualRun> runs = new HashMap<>();
    private final Set<RunRef> stoppedBeforeStart = new HashSet<>();
    private final RankedHeap<VirtualRun> ends = new RankedHeap<>(VirtualExecutor::compareEnds);
    private final Deque<VirtualRun> started = new ArrayDeque<>();
    private final Deque<VirtualRun> finished = new ArrayDeque<>();
    private long nowMillis;
    private long starts;
    private int unfinished;
    private Phase phase = Phase.NEW;

    private enum Phase {
        NEW,
        OPEN,
        CLOSED
    }

    /** A run that is not forgotten. */
    private static final class VirtualRun extends Ranked {
        final RunRef ref;
        final long allocation;
        final long order;
        long endsMillis;
        boolean suspended;
        boolean reported;
        boolean forgotten;

        /** The exit to be reported; null: lost. */
        @Nullable RunExit exit;

        VirtualRun(RunRef ref, long allocation, long order, long endsMillis) {
            this.ref = ref;
            this.allocation = allocation;
            this.order = order;
            this.endsMillis = endsMillis;
        }
    }

    /**
     * Creates an executor.
     *
     * @param durationMillis the duration of a run; asked once, when it starts
     * @param nowMillis the current virtual time
     */
    public VirtualExecutor(ExecutorListener listener, ToLongFunction<RunStart> durationMillis, long nowMillis) {
        this.listener = listener;
        this.durationMillis = durationMillis;
        this.nowMillis = nowMillis;
    }

    /** Compares runs by end, number of the allocation, then order of starts. */
    private static int compareEnds(VirtualRun a, VirtualRun b) {
        int order = Long.compare(a.endsMillis, b.endsMillis);
        order = order != 0 ? order : Long.compare(a.allocation, b.allocation);
        return order != 0 ? order : Long.compare(a.order, b.order);
    }

    /** Sets the virtual time. Ends that are due by then are delivered by {@link #endNext}. */
    public void advance(long toMillis) {
        if (toMillis < nowMillis) {
            throw new IllegalArgumentException("time must not go backwards: " + toMillis + " < " + nowMillis);
        }
        nowMillis = toMillis;
    }

    /** Returns when the next run ends by itself; {@link Long#MAX_VALUE} if none does. */
    public long nextEndMillis() {
        VirtualRun first = ends.first();
        return first == null ? Long.MAX_VALUE : first.endsMillis;
    }

    /**
     * Ends the next run that is due, and delivers its report; returns whether there was one.
     *
     * @throws IllegalStateException if {@link #deliverNext} has starts to deliver
     */
    public boolean endNext() {
        VirtualRun first = ends.first();
        if (first == null || first.endsMillis > nowMillis) {
            return false;
        }
        if (!started.isEmpty()) {
            throw new IllegalStateException("reports of starts must be delivered first");
        }
        ends.remove(first);
        first.exit = SUCCEEDED;
        report(first);
        return true;
    }

    /** Delivers the next report that results from calls: starts first, then ends; returns whether there was one. */
    public boolean deliverNext() {
        for (VirtualRun run = started.poll(); run != null; run = started.poll()) {
            if (!run.forgotten) {
                listener.started(run.ref);
                return true;
            }
        }
        for (VirtualRun run = finished.poll(); run != null; run = finished.poll()) {
            if (!run.forgotten) {
                report(run);
                return true;
            }
        }
        return false;
    }

    private void report(VirtualRun run) {
        unfinished--;
        run.reported = true;
        RunExit exit = run.exit;
        if (exit == null) {
            listener.lost(run.ref, "its executor has ended");
        } else {
            listener.ended(run.ref, exit);
        }
    }

    @Override
    public void recover(Collection<RunStart> allocated, Collection<ApplicationRef> active) {
        if (phase != Phase.NEW) {
            throw new IllegalStateException("recover must be called first, and only once");
        }
        phase = Phase.OPEN;
        for (RunStart start : allocated) {
            finished.add(add(start, nowMillis));
        }
    }

    private VirtualRun add(RunStart start, long endsMillis) {
        VirtualRun run = new VirtualRun(start.run(), start.allocation(), starts++, endsMillis);
        if (runs.putIfAbsent(start.run(), run) != null) {
            throw new IllegalStateException("run was already started: " + start.run());
        }
        unfinished++;
        return run;
    }

    @Override
    public void start(RunStart start) {
        if (phase == Phase.NEW) {
            throw new IllegalStateException("the executor has not recovered yet");
        }
        if (phase == Phase.CLOSED) {
            return;
        }
        if (!stoppedBeforeStart.isEmpty() && stoppedBeforeStart.remove(start.run())) {
            VirtualRun run = add(start, nowMillis);
            run.exit = RunExit.notStarted(RunExit.TERMINATED, STOPPED_BEFORE);
            finished.add(run);
            return;
        }
        VirtualRun run = add(start, nowMillis);
        run.endsMillis += durationMillis.applyAsLong(start);
        ends.put(run);
        started.add(run);
    }

    @Override
    public void stop(RunRef ref) {
        VirtualRun run = runs.get(ref);
        if (run == null) {
            stoppedBeforeStart.add(ref);
        } else if (isAlive(run)) {
            end(run, new RunExit(RunExit.TERMINATED, true, STOPPED));
        }
    }

    private boolean isAlive(VirtualRun run) {
        return run.suspended || ends.contains(run);
    }

    private void end(VirtualRun run, @Nullable RunExit exit) {
        halt(run);
        run.exit = exit;
        finished.add(run);
    }

    /** Removes a run from those that end by themselves. */
    private void halt(VirtualRun run) {
        if (ends.contains(run)) {
            ends.remove(run);
        }
        run.suspended = false;
    }

    @Override
    public void suspend(RunRef ref) {
        VirtualRun run = runs.get(ref);
        if (run != null && ends.contains(run)) {
            halt(run);
            run.endsMillis -= nowMillis; // what is left
            run.suspended = true;
        }
    }

    @Override
    public void resume(RunRef ref) {
        VirtualRun run = runs.get(ref);
        if (run != null && run.suspended) {
            run.suspended = false;
            run.endsMillis += nowMillis;
            ends.put(run);
        }
    }

    /** Ends a run as one that handles no signals. */
    @Override
    public boolean signal(RunRef ref, TaskSignal signal) {
        VirtualRun run = runs.get(ref);
        if (run == null || !isAlive(run)) {
            return false;
        }
        end(run, RunExit.ended(128 + signal.number()));
        return true;
    }

    @Override
    public void forget(RunRef ref) {
        if (!stoppedBeforeStart.isEmpty()) {
            stoppedBeforeStart.remove(ref);
        }
        VirtualRun run = runs.remove(ref);
        if (run != null) {
            halt(run);
            unfinished -= run.reported ? 0 : 1;
            run.forgotten = true;
        }
    }

    @Override
    public void forget(ApplicationRef application) {}

    @Override
    public int unfinishedCount() {
        return unfinished;
    }

    /** Returns whether the run is alive. */
    public boolean isAlive(RunRef ref) {
        VirtualRun run = runs.get(ref);
        return run != null && isAlive(run);
    }

    @Override
    public boolean stopAll() {
        phase = Phase.CLOSED;
        runs.values().stream()
                .filter(this::isAlive)
                .sorted(Comparator.comparingLong(each -> each.order))
                .forEach(run -> end(run, null));
        while (deliverNext()) {
            // Delivers all reports.
        }
        return true;
    }

    @Override
    public void close() {
        phase = Phase.CLOSED;
        runs.values().forEach(this::halt);
        started.clear();
        finished.clear();
        unfinished = 0;
    }
}
