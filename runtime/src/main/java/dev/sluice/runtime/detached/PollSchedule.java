package dev.sluice.runtime.detached;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Polls processes that are not children of this program, while there are any. Confined to the work thread. */
final class PollSchedule {

    private static final Duration INTERVAL = Duration.ofMillis(200);

    /** Polling pauses for this many times the duration of the last poll. */
    private static final int REST_FACTOR = 20;

    private final ScheduledExecutorService work;
    private final Consumer<Runnable> execute;
    private final RunReconciler reconciler;
    private final Runnable polled;
    private boolean scheduled;

    /**
     * Creates a schedule.
     *
     * @param work plans polls
     * @param execute executes them on the work thread
     * @param polled called after each poll, which may have found running runs
     */
    PollSchedule(ScheduledExecutorService work, Consumer<Runnable> execute, RunReconciler reconciler, Runnable polled) {
        this.polled = polled;
        this.work = work;
        this.execute = execute;
        this.reconciler = reconciler;
    }

    /** Plans the next poll, if there is anything to poll and none is planned. */
    void plan() {
        plan(INTERVAL.toNanos());
    }

    private void plan(long delayNanos) {
        if (!scheduled && reconciler.hasRunsToPoll()) {
            scheduled = true;
            try {
                var unused = work.schedule(() -> execute.accept(this::poll), delayNanos, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closed) {
                // The next runner on this directory terminates the remaining processes.
                return;
            }
        }
    }

    private void poll() {
        long start = System.nanoTime();
        scheduled = false;
        try {
            reconciler.poll();
            polled.run();
        } finally {
            plan(Math.max(INTERVAL.toNanos(), REST_FACTOR * (System.nanoTime() - start)));
        }
    }
}
