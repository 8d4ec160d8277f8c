package dev.sluice.runtime.detached;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads of a runner: one decides, one calls the listener, and some start commands. */
final class RunnerThreads {

    /** The number of commands started concurrently; most of that time is spent in the operating system. */
    private static final int STARTERS = 4;

    private final ExecutorService events = Executors.newSingleThreadExecutor(daemon("detached-events"));
    private final ExecutorService starters = Executors.newFixedThreadPool(STARTERS, daemon("detached-start"));
    private final ScheduledThreadPoolExecutor work = new ScheduledThreadPoolExecutor(1, daemon("detached-work"));

    RunnerThreads() {
        work.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private static ThreadFactory daemon(String name) {
        return step -> {
            Thread thread = new Thread(step, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Calls the listener. */
    ExecutorService events() {
        return events;
    }

    /** Starts commands. */
    ExecutorService starters() {
        return starters;
    }

    /** Decides; confines the state of runs. */
    ScheduledExecutorService work() {
        return work;
    }

    /**
     * Executes a step on the work thread, unless the runner is closed. Exceptions go to the thread's uncaught exception
     * handler.
     */
    void execute(Runnable step) {
        try {
            work.execute(() -> {
                try {
                    step.run();
                } catch (RuntimeException | Error e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            });
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    /**
     * Ends the threads after what they are doing.
     *
     * @param all whether to end that of the listener, too
     * @param timeout how long to wait for each
     */
    void close(boolean all, Duration timeout) {
        close(starters, timeout);
        close(work, timeout);
        if (all) {
            close(events, timeout);
        }
    }

    private static void close(ExecutorService executor, Duration timeout) {
        executor.shutdown();
        try {
            boolean unused = executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
