package dev.sluice.server.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** How many refusals of a caller are recorded: the first ones of every minute. Not thread-safe. */
final class RefusalLimit {

    /** Refusals of one caller that are recorded in one {@link #PERIOD}. */
    static final int RECORDED_MAX = 20;

    static final Duration PERIOD = Duration.ofMinutes(1);

    /** Number of callers remembered; the one that began first is forgotten first. */
    static final int CALLERS_MAX = 1000;

    private static final class Count {
        private final Instant since;
        private long refusals;

        Count(Instant since) {
            this.since = since;
        }
    }

    private final Map<String, Count> counts = new LinkedHashMap<>();

    /**
     * Counts a refusal.
     *
     * @return how many refusals the caller had in its period before; the caller is not recorded from {@link
     *     #RECORDED_MAX} on
     */
    long count(String caller, Instant now) {
        Count count = counts.get(caller);
        if (count == null || !now.isBefore(count.since.plus(PERIOD))) {
            counts.remove(caller);
            count = new Count(now);
            counts.put(caller, count);
        }
        if (counts.size() > CALLERS_MAX) {
            counts.remove(counts.keySet().iterator().next());
        }
        return count.refusals++;
    }
}
