package dev.sluice.server.sampling;

import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the state at equal pauses, on a thread of its own. A sample that fails, such as while the scheduler does not
 * answer in time, is left out.
 */
public final class PeriodicSampler implements AutoCloseable {

    /** How long samplers wait for each step of a query. */
    public static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(PeriodicSampler.class);

    private final String name;
    private final Duration pause;
    private final Sample sample;
    private final ScheduledThreadPoolExecutor executor;

    /** Reads the state once. */
    @FunctionalInterface
    public interface Sample {
        void take() throws ExecutionException, TimeoutException, InterruptedException, StoreException;
    }

    /**
     * Creates a sampler.
     *
     * @param name the name of its thread
     * @param pause the time from the end of a sample to the beginning of the next one
     */
    public PeriodicSampler(String name, Duration pause, Sample sample) {
        this.name = name;
        this.pause = pause;
        this.sample = sample;
        this.executor = new ScheduledThreadPoolExecutor(1, step -> {
            Thread thread = new Thread(step, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Samples now, and then after each pause. */
    public void start() {
        var unused = executor.scheduleWithFixedDelay(this::sample, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Samples now; not if the scheduler does not answer in time. */
    public synchronized void sample() {
        try {
            sample.take();
        } catch (BusyException | TimeoutException | ExecutionException e) {
            LOG.debug("no sample sampler={}", name, e); // the next one is taken after the pause
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            LOG.warn("sample not stored sampler={}: {}", name, e.getMessage());
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
