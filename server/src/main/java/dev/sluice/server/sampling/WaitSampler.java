package dev.sluice.server.sampling;

import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.WaitHistory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads why applications wait each 10 seconds, within the bounds of {@link WaitQuery}, for {@link WaitRecorder}. */
public final class WaitSampler implements AutoCloseable {

    /** The pause between two samples. */
    public static final Duration PAUSE = Duration.ofSeconds(10);

    private final IncrementalQueryRunner queries;
    private final InstantSource clock;
    private final WaitRecorder recorder;
    private final PeriodicSampler sampler = new PeriodicSampler("wait-sampler", PAUSE, this::take);
    private WaitQuery.@Nullable Cursor cursor;

    public WaitSampler(IncrementalQueryRunner queries, WaitHistory history, InstantSource clock) {
        this.queries = queries;
        this.clock = clock;
        this.recorder = new WaitRecorder(history);
    }

    /** Samples now, and then after each pause. */
    public void start() {
        sampler.start();
    }

    /** Samples now; not if the scheduler does not answer in time. */
    public void sample() {
        sampler.sample();
    }

    private void take() throws ExecutionException, TimeoutException, InterruptedException, StoreException {
        WaitQuery.Waits waits = queries.run(
                Cause.internal("reasons of waiting applications"),
                new WaitQuery(recorder.followed(), cursor),
                PeriodicSampler.TIMEOUT);
        cursor = waits.cursor();
        recorder.add(clock.instant(), waits);
    }

    @Override
    public void close() {
        sampler.close();
    }
}
