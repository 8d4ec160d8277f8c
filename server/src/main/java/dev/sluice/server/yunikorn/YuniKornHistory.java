package dev.sluice.server.yunikorn;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.server.sampling.PeriodicSampler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** How many applications were active and tasks allocated, each minute of the last day since the server has started. */
public final class YuniKornHistory implements AutoCloseable {

    /** Maximum number of samples: those of a day. */
    public static final int SAMPLES_MAX = 24 * 60;

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final IncrementalQueryRunner queries;
    private final InstantSource clock;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private final PeriodicSampler sampler = new PeriodicSampler("yunikorn-history", INTERVAL, this::take);

    private record Sample(Instant at, long applications, long tasks) {}

    public YuniKornHistory(IncrementalQueryRunner queries, InstantSource clock) {
        this.queries = queries;
        this.clock = clock;
    }

    /** Counts now, and then each minute. */
    public void start() {
        sampler.start();
    }

    /** Counts now; not if the scheduler does not answer in time. */
    public void sample() {
        sampler.sample();
    }

    private void take() throws ExecutionException, TimeoutException, InterruptedException {
        Sample sample =
                queries.run(Cause.internal("yunikorn history"), new Count(clock.instant()), PeriodicSampler.TIMEOUT);
        synchronized (samples) {
            samples.addLast(sample);
            if (samples.size() > SAMPLES_MAX) {
                samples.removeFirst();
            }
        }
    }

    /** Counts what queues sum up, so one step suffices. */
    private static final class Count implements IncrementalQuery<Sample> {

        private final Instant at;
        private long applications;
        private long tasks;

        private Count(Instant at) {
            this.at = at;
        }

        @Override
        public boolean step(TransactionContext context, StepBudget budget) {
            for (Partition partition : context.state().partitions()) {
                Queue root = partition.queues().root();
                applications += root.activeApplications();
                tasks += root.allocatedTasks();
            }
            return true;
        }

        @Override
        public Sample answer() {
            return new Sample(at, applications, tasks);
        }
    }

    private List<Sample> samples() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    /** Returns how many applications were active, oldest first. */
    public List<YuniKornSample.OfApplications> applications() {
        return samples().stream()
                .map(each -> new YuniKornSample.OfApplications(
                        YuniKornViews.nanos(each.at), Long.toString(each.applications)))
                .toList();
    }

    /** Returns how many tasks were allocated, oldest first. */
    public List<YuniKornSample.OfContainers> containers() {
        return samples().stream()
                .map(each -> new YuniKornSample.OfContainers(YuniKornViews.nanos(each.at), Long.toString(each.tasks)))
                .toList();
    }

    @Override
    public void close() {
        sampler.close();
    }
}
