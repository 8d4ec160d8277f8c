package dev.sluice.server.metrics;

import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.loop.BusyException;
import dev.sluice.runtime.loop.IncrementalQueryRunner;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Figures of the cluster: what waits, what runs, how the nodes are. They are counted only when somebody asks and something has happened
 * since, and at most once a second, so that they cost the scheduler nothing while nobody looks. While the scheduler does not answer,
 * the former figures stay.
 */
public final class ClusterGauges {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final IncrementalQueryRunner queries;
    private final LongSupplier last;
    private final ServerMetrics metrics;
    private long countedAt = -1; // the last event when they were counted
    private long countedNanos;

    /**
     * Figures of the state that these are asked about.
     *
     * @param last the number of the last event
     */
    public ClusterGauges(IncrementalQueryRunner queries, LongSupplier last, ServerMetrics metrics) {
        this.queries = queries;
        this.last = last;
        this.metrics = metrics;
    }

    /** Counts anew what may have changed. */
    public synchronized void refresh() {
        long now = last.getAsLong();
        if (now == countedAt || (countedAt >= 0 && System.nanoTime() - countedNanos < PAUSE.toNanos())) {
            return;
        }
        try {
            metrics.gaugeValues(queries.run(Cause.internal("metrics"), new ClusterGaugeQuery(), TIMEOUT));
            countedAt = now;
            countedNanos = System.nanoTime();
        } catch (BusyException | TimeoutException | ExecutionException e) {
            return; // the former ones are better than none
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is counted. */
    enum GaugeFamily {
        NODES("sluice.nodes", "Nodes by state.", "state"),
        TASKS("sluice.tasks", "Tasks bound to nodes, by state.", "state"),
        APPLICATIONS(
                "sluice.applications",
                "Applications in the scheduler's state, by state; finished ones until they expire.",
                "state"),
        QUEUE_PENDING("sluice.queue.tasks.pending", "Pending tasks in a queue and its descendants.", "queue"),
        QUEUE_ALLOCATED("sluice.queue.tasks.allocated", "Allocated tasks in a queue and its descendants.", "queue"),
        CAPACITY("sluice.capacity", "Total capacity of ready nodes, in base units.", "resource"),
        ALLOCATED("sluice.allocated", "Resources allocated to tasks, in base units.", "resource");

        private final String metric;
        private final String help;
        private final String label;

        GaugeFamily(String metric, String help, String label) {
            this.metric = metric;
            this.help = help;
            this.label = label;
        }

        String metric() {
            return metric;
        }

        String help() {
            return help;
        }

        String label() {
            return label;
        }
    }

    /** One figure of a partition. */
    record GaugeValue(GaugeFamily family, String partition, String of, long value) {}
}
