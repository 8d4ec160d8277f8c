package dev.sluice.server.usage;

import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.DemandHistory.Demand;
import dev.sluice.runtime.journal.DemandHistory.DemandQuery;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.QueueView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records what waits in queues and what they are due: the means of the samples of five minutes, kept for a day, and
 * of an hour, kept for 31 days. Root is always stored, other queues only for intervals in which they had pending or
 * allocated tasks: what a queue lacks of the intervals of root counts as nothing.
 */
final class DemandRecorder {

    /** The length of short intervals. */
    static final Duration SHORT = Duration.ofMinutes(5);

    /** The length of long intervals. */
    static final Duration LONG = Duration.ofHours(1);

    /** The path of the queue that has all intervals. */
    static final String ROOT = "root";

    static final Duration SHORT_KEPT = Duration.ofDays(1);
    static final Duration LONG_KEPT = Duration.ofDays(31);

    private final DemandHistory history;
    private final Map<String, DemandMean> means = new LinkedHashMap<>();
    private Instant from = Instant.EPOCH;

    DemandRecorder(DemandHistory history) {
        this.history = history;
    }

    /** Adds a sample to the current interval, and stores its means so far. */
    void add(Instant at, Map<String, List<QueueView>> sampled) throws StoreException {
        Instant begin = beginning(at, SHORT);
        if (!begin.equals(from)) {
            for (String partition : means.keySet()) {
                storeLong(partition, beginning(from, LONG));
            }
            history.discard(SHORT, at.minus(SHORT_KEPT));
            history.discard(LONG, at.minus(LONG_KEPT));
            means.clear();
            from = begin;
        }
        List<Demand> demands = new ArrayList<>();
        for (Map.Entry<String, List<QueueView>> partition : sampled.entrySet()) {
            DemandMean mean = means.computeIfAbsent(partition.getKey(), name -> new DemandMean());
            mean.add(partition.getValue());
            demands.addAll(mean.demands(partition.getKey(), begin, SHORT));
        }
        history.append(demands);
    }

    /** Stores the means of the short intervals of a long one. */
    private void storeLong(String partition, Instant begin) throws StoreException {
        DemandMean mean = new DemandMean();
        mean.addAll(history.find(new DemandQuery(partition, "", SHORT, begin, begin.plus(LONG))));
        history.append(mean.demands(partition, begin, LONG));
    }

    private static Instant beginning(Instant at, Duration length) {
        long seconds = length.toSeconds();
        return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
    }
}
