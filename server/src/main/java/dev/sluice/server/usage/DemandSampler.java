package dev.sluice.server.usage;

import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what waits in all queues and what they are due once per minute, for {@link DemandRecorder}. */
public final class DemandSampler implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DemandSampler.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final IncrementalQueryRunner queries;
    private final DemandRecorder recorder;
    private final InstantSource clock;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, step -> {
        Thread thread = new Thread(step, "demand-sampler");
        thread.setDaemon(true);
        return thread;
    });

    public DemandSampler(IncrementalQueryRunner queries, DemandHistory history, InstantSource clock) {
        this.queries = queries;
        this.recorder = new DemandRecorder(history);
        this.clock = clock;
    }

    /** Samples now, and then each minute. */
    public void start() {
        var unused = executor.scheduleWithFixedDelay(this::sample, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Samples now; not if the scheduler does not answer in time. */
    public void sample() {
        try {
            recorder.add(clock.instant(), queries.run(Cause.internal("demand of queues"), new QueueDemand(), TIMEOUT));
        } catch (BusyException | TimeoutException | ExecutionException e) {
            LOG.debug("queues not sampled", e); // the next minute samples again
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StoreException e) {
            LOG.warn("demand of queues not stored: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
