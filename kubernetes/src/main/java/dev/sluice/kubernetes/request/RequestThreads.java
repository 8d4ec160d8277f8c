package dev.sluice.kubernetes.request;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Executes steps on threads of its own; their number is the maximum number of requests at a time. */
public final class RequestThreads implements RequestTimer, AutoCloseable {

    private final ScheduledThreadPoolExecutor threads;

    /** Creates this many threads with a name. */
    public RequestThreads(String name, int parallel) {
        threads = new ScheduledThreadPoolExecutor(parallel, step -> {
            Thread thread = new Thread(step, name);
            thread.setDaemon(true);
            return thread;
        });
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void schedule(Runnable step, long delayNanos) {
        try {
            var unused = threads.schedule(step, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // the next server computes from the cluster what is to be requested
            return;
        }
    }

    /** Ends the threads; steps that have not begun are not executed. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
