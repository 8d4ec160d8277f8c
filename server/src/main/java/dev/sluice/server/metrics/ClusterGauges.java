package dev.sluice.server.metrics;

import dev.sluice.runtime.host.BusyException;
import dev.sluice.runtime.host.IncrementalQueryRunner;
import dev.sluice.runtime.journal.Cause;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Gauges of the cluster: pending and running tasks, nodes, capacity. They are computed on request, only if something
 * has happened since, and at most once a second, so they cost the scheduler nothing while no one requests them. If the
 * scheduler does not answer in time, the previous values stay.
 */
public final class ClusterGauges {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final IncrementalQueryRunner queries;
    private final LongSupplier last;
    private final ServerMetrics metrics;
    private long countedAt = -1; // sequence number of the last event when they were computed
    private long countedNanos;

    /**
     * Creates gauges computed by these queries.
     *
     * @param last supplies the sequence number of the last event
     */
    public ClusterGauges(IncrementalQueryRunner queries, LongSupplier last, ServerMetrics metrics) {
        this.queries = queries;
        this.last = last;
        this.metrics = metrics;
    }

    /** Recomputes the gauges if they may have changed. */
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
            return; // keep the previous values
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The metrics with one value per label. */
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
        ALLOCATED("sluice.allocated", "Resources allocated to tasks, in base units.", "resource"),
        RESERVATIONS("sluice.reservations", "Nodes reserved for pending tasks, by leaf queue.", "queue");

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

    /**
     * One value of a partition.
     *
     * @param of the value of the family's label
     */
    record GaugeValue(GaugeFamily family, String partition, String of, long value) {}
}
