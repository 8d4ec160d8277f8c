package dev.sluice.simulator.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Computes results in parallel, none of which depends on the others. */
final class SimulationThreads {

    private SimulationThreads() {}

    /**
     * Returns all results in order.
     *
     * @param threads how many are computed at the same time
     * @throws IOException the exception of one of them
     */
    static <T> List<T> all(int threads, List<? extends Callable<T>> computations) throws IOException {
        ExecutorService executor = Executors.newFixedThreadPool(Math.min(threads, computations.size()), work -> {
            Thread thread = new Thread(work, "simulation");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<T>> futures = new ArrayList<>();
            computations.forEach(each -> futures.add(executor.submit(each)));
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("simulation interrupted", e);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        } finally {
            executor.shutdownNow();
        }
    }

    private static IOException unwrapped(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof IOException failure) {
            return failure;
        }
        if (cause instanceof RuntimeException failure) {
            throw failure;
        }
        if (cause instanceof Error failure) {
            throw failure;
        }
        return new IOException(cause);
    }
}
