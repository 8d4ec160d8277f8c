package dev.sluice.runtime.testing;

import dev.sluice.runtime.journal.DemandHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What waited in queues, in memory. */
final class MemoryDemand implements DemandHistory {

    private final Map<Key, Demand> demands = new LinkedHashMap<>();

    private record Key(String partition, String queue, Duration length, Instant from) {}

    @Override
    public synchronized void append(List<Demand> added) {
        added.forEach(demand ->
                demands.put(new Key(demand.partition(), demand.queue(), demand.length(), demand.from()), demand));
    }

    @Override
    public synchronized List<Demand> find(DemandQuery query) {
        return demands.values().stream()
                .filter(demand -> demand.partition().equals(query.partition())
                        && demand.length().equals(query.length())
                        && (query.queue().isEmpty() || demand.queue().equals(query.queue()))
                        && !demand.from().isBefore(query.from())
                        && demand.from().isBefore(query.to()))
                .sorted(Comparator.comparing(Demand::from).thenComparing(Demand::queue))
                .toList();
    }

    @Override
    public synchronized void discard(Duration length, Instant before) {
        demands.values()
                .removeIf(demand ->
                        demand.length().equals(length) && demand.from().isBefore(before));
    }
}
