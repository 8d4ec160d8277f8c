package dev.sluice.server.usage;

import dev.sluice.runtime.journal.DemandHistory.Demand;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.view.DueResources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The means of what waited in the queues of a partition and what they were due, over several samples. */
final class DemandMean {

    private final Map<String, Sums> queues = new LinkedHashMap<>();
    private int samples;

    /** The sums of a queue over all samples; a sample without the queue counts as nothing. */
    private static final class Sums {
        private long pendingTasks;
        private final SortedMap<String, Long> pending = new TreeMap<>();
        private final SortedMap<String, Long> due = new TreeMap<>();

        private void add(long tasks, Map<String, Long> pendingAmounts, Map<String, Long> dueAmounts) {
            pendingTasks += tasks;
            pendingAmounts.forEach((type, amount) -> pending.merge(type, amount, Long::sum));
            dueAmounts.forEach((type, amount) -> due.merge(type, amount, Long::sum));
        }
    }

    private Sums of(String queue) {
        return queues.computeIfAbsent(queue, path -> new Sums());
    }

    /** Adds a sample: all queues of a partition, root first. */
    void add(List<QueueView> sample) {
        samples++;
        for (QueueView queue : sample) {
            if (queue.depth() == 0) {
                of(queue.path()).add(queue.pendingTasks(), queue.pending(), DueResources.sum(sample));
            } else if (queue.pendingTasks() > 0 || queue.allocatedTasks() > 0) {
                of(queue.path()).add(queue.pendingTasks(), queue.pending(), DueResources.of(queue));
            }
        }
    }

    /** Adds stored intervals, each of which counts as a sample; root has all of them. */
    void addAll(List<Demand> demands) {
        for (Demand demand : demands) {
            samples += demand.queue().equals(DemandRecorder.ROOT) ? 1 : 0;
            of(demand.queue()).add(demand.pendingTasks(), demand.pending(), demand.due());
        }
    }

    /** Returns the means. */
    List<Demand> demands(String partition, Instant from, Duration length) {
        List<Demand> demands = new ArrayList<>();
        if (samples > 0) {
            queues.forEach((path, sums) -> demands.add(new Demand(
                    partition, path, from, length, mean(sums.pendingTasks), means(sums.pending), means(sums.due))));
        }
        return demands;
    }

    private long mean(long sum) {
        return Math.round(sum / (double) samples);
    }

    private SortedMap<String, Long> means(SortedMap<String, Long> sums) {
        SortedMap<String, Long> means = new TreeMap<>();
        sums.forEach((type, sum) -> means.put(type, mean(sum)));
        return means;
    }
}
