package dev.sluice.runtime.testing;

import dev.sluice.runtime.journal.WaitHistory;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Why applications waited, in memory. */
final class MemoryWaits implements WaitHistory {

    private final Map<WaitingApplication, SortedMap<Instant, Wait>> waits = new LinkedHashMap<>();

    @Override
    public synchronized void append(List<Wait> added) {
        for (Wait wait : added) {
            SortedMap<Instant, Wait> known =
                    waits.computeIfAbsent(wait.application(), each -> new TreeMap<>(Comparator.reverseOrder()));
            known.put(wait.from(), wait);
            if (known.size() > WAITS_MAX) {
                known.remove(known.lastKey());
            }
        }
    }

    @Override
    public synchronized List<Wait> find(WaitingApplication application, int limit) {
        Collection<Wait> known =
                waits.getOrDefault(application, new TreeMap<>()).values();
        return known.stream().limit(limit).toList();
    }

    synchronized void discard(Instant before) {
        waits.values()
                .forEach(known -> known.values().removeIf(wait -> wait.seen().isBefore(before)));
    }
}
