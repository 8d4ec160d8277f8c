package dev.sluice.runtime.detached;

import dev.sluice.runtime.executor.RunExit;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Calls the listener on a separate thread and counts the runs whose final report is outstanding. */
final class RunReports {

    private final DetachedRunListener listener;
    private final ExecutorService events;
    private final AtomicInteger unfinished = new AtomicInteger();
    private final Object progress = new Object();
    private volatile @Nullable Thread thread;

    /** Calls this listener on this executor, which must be single-threaded. */
    RunReports(DetachedRunListener listener, ExecutorService events) {
        this.listener = listener;
        this.events = events;
    }

    /** Adds to the number of runs to be reported. */
    void expect(int runs) {
        unfinished.addAndGet(runs);
    }

    int unfinishedCount() {
        return unfinished.get();
    }

    boolean isListenerThread() {
        return Thread.currentThread() == thread;
    }

    void started(DetachedRun run, long pid) {
        deliver(() -> listener.started(run.key, pid));
    }

    /** Reports an end; called once per run, like the following. */
    void ended(DetachedRun run, RunExit exit) {
        deliverLast(() -> listener.ended(run.key, exit));
    }

    void lost(DetachedRun run, String reason) {
        deliverLast(() -> listener.lost(run.key, reason));
    }

    void notStarted(DetachedRun run, String reason) {
        deliverLast(() -> listener.notStarted(run.key, reason));
    }

    /** Reports a folder that could not be removed. */
    void notRemoved(Path folder, String reason) {
        deliver(() -> listener.notRemoved(folder, reason));
    }

    private void deliverLast(Runnable report) {
        deliver(() -> {
            try {
                report.run();
            } finally {
                unfinished.decrementAndGet();
                signalProgress();
            }
        });
    }

    private void deliver(Runnable report) {
        try {
            events.execute(() -> {
                thread = Thread.currentThread();
                report.run();
            });
        } catch (RejectedExecutionException closed) {
            // The next runner on this directory reports it.
            return;
        }
    }

    /** Makes {@link #awaitAll} check its condition again. */
    void signalProgress() {
        synchronized (progress) {
            progress.notifyAll();
        }
    }

    /**
     * Waits until every run has been reported and the condition holds.
     *
     * @return false on timeout or if the thread was interrupted
     */
    boolean awaitAll(BooleanSupplier condition, long deadlineNanos) {
        synchronized (progress) {
            while (unfinished.get() > 0 || !condition.getAsBoolean()) {
                long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    return false;
                }
                try {
                    progress.wait(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
        return true;
    }
}
