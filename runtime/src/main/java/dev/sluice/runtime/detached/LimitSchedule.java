package dev.sluice.runtime.detached;

import dev.sluice.runtime.detached.DetachedRun.Stage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Measures running runs about every second, if that is possible, and checks their limits. Confined to the work thread.
 */
final class LimitSchedule {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Checking pauses for this many times the duration of the last check. */
    private static final int REST_FACTOR = 50;

    private final RunnerThreads threads;
    private final Collection<DetachedRun> runs;
    private final RunLimits limits;
    private final RunReconciler reconciler;
    private boolean scheduled;

    /** Creates a schedule for these runs, which change. */
    LimitSchedule(RunnerThreads threads, Collection<DetachedRun> runs, RunLimits limits, RunReconciler reconciler) {
        this.threads = threads;
        this.runs = runs;
        this.limits = limits;
        this.reconciler = reconciler;
    }

    /** Plans the next check, if runs are watched, something runs and none is planned. */
    void plan() {
        plan(INTERVAL.toNanos());
    }

    private void plan(long delayNanos) {
        if (scheduled || !limits.areWatched() || runs.stream().noneMatch(LimitSchedule::isRunning)) {
            return;
        }
        scheduled = true;
        try {
            var unused = threads.work().schedule(() -> threads.execute(this::check), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return; // the next runner on this directory continues
        }
    }

    private static boolean isRunning(DetachedRun run) {
        return run.stage == Stage.RUNNING && run.exceeded == null;
    }

    private void check() {
        long start = System.nanoTime();
        scheduled = false;
        try {
            List<DetachedRun> running =
                    runs.stream().filter(LimitSchedule::isRunning).toList();
            limits.check(running, reconciler::kill);
        } finally {
            plan(Math.max(INTERVAL.toNanos(), REST_FACTOR * (System.nanoTime() - start)));
        }
    }
}
