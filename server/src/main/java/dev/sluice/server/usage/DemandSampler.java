package dev.sluice.server.usage;

import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.sampling.PeriodicSampler;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Reads what waits in all queues and what they are due once per minute, for {@link DemandRecorder}. */
public final class DemandSampler implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final IncrementalQueryRunner queries;
    private final DemandRecorder recorder;
    private final InstantSource clock;
    private final PeriodicSampler sampler = new PeriodicSampler("demand-sampler", PAUSE, this::take);

    public DemandSampler(IncrementalQueryRunner queries, DemandHistory history, InstantSource clock) {
        this.queries = queries;
        this.recorder = new DemandRecorder(history);
        this.clock = clock;
    }

    /** Samples now, and then each minute. */
    public void start() {
        sampler.start();
    }

    private void take() throws ExecutionException, TimeoutException, InterruptedException, StoreException {
        recorder.add(
                clock.instant(),
                queries.run(Cause.internal("demand of queues"), new QueueDemand(), PeriodicSampler.TIMEOUT));
    }

    @Override
    public void close() {
        sampler.close();
    }
}
