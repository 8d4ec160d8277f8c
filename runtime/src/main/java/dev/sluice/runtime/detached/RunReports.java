package dev.sluice.runtime.detached;

import dev.sluice.runtime.process.ProcessExit;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Tells the listener what became of runs, on a thread of its own, and counts those of which it has not heard the last. */
final class RunReports implements RunReconciler.Reports {

    private final DetachedRunListener listener;
    private final ExecutorService events;
    private final AtomicInteger unfinished = new AtomicInteger();
    private final Object progress = new Object();
    private volatile @Nullable Thread thread;

    /** Calls this listener on this executor, which must have one thread. */
    RunReports(DetachedRunListener listener, ExecutorService events) {
        this.listener = listener;
        this.events = events;
    }

    /** So many more runs will be reported. */
    void expect(int runs) {
        unfinished.addAndGet(runs);
    }

    int unfinishedCount() {
        return unfinished.get();
    }

    boolean isListenersThread() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void started(DetachedRun run, long pid) {
        tell(() -> listener.started(run.key, pid));
    }

    @Override
    public void ended(DetachedRun run, ProcessExit exit) {
        tellLast(() -> listener.ended(run.key, exit));
    }

    @Override
    public void lost(DetachedRun run, String reason) {
        tellLast(() -> listener.lost(run.key, reason));
    }

    @Override
    public void notStarted(DetachedRun run, String reason) {
        tellLast(() -> listener.notStarted(run.key, reason));
    }

    /** A folder could not be removed. */
    void notRemoved(Path folder, String reason) {
        tell(() -> listener.notRemoved(folder, reason));
    }

    private void tellLast(Runnable report) {
        tell(() -> {
            try {
                report.run();
            } finally {
                unfinished.decrementAndGet();
                signalProgress();
            }
        });
    }

    private void tell(Runnable report) {
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

    /** Lets {@link #awaitAll} look again. */
    void signalProgress() {
        synchronized (progress) {
            progress.notifyAll();
        }
    }

    /** Waits until every run has been reported and this holds; false if the time is over or the thread was interrupted. */
    boolean awaitAll(BooleanSupplier besides, long deadlineNanos) {
        synchronized (progress) {
            while (unfinished.get() > 0 || !besides.getAsBoolean()) {
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
