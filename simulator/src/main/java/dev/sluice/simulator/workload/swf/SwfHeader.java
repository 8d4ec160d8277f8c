package dev.sluice.simulator.workload.swf;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the comments at the head of a log say.
 *
 * @param start the instant from which submissions are counted ({@code UnixStartTime}); 1970 if it is not said
 * @param processors how many the machine had: {@code MaxProcs}, else {@code MaxNodes}, else 0
 * @param timeZone where the machine stood ({@code TimeZoneString}), such as {@code Europe/London}; null if it is not said. Instants do
 *     not depend on it
 * @param partitions the names of the partitions by number, fit for names of queues, no two alike but for the case of letters
 * @param queues likewise of the queues
 * @param wide whether jobs have more columns than the format, as the first one has; what is beyond them is ignored
 */
record SwfHeader(
        Instant start,
        long processors,
        @Nullable String timeZone,
        Map<Long, String> partitions,
        Map<Long, String> queues,
        boolean wide) {

    /** Where nothing is said. */
    static final SwfHeader NONE = new SwfHeader(Instant.EPOCH, 0, null, Map.of(), Map.of(), false);

    /** Copies the maps, keeps their order. */
    SwfHeader {
        partitions = Collections.unmodifiableMap(new LinkedHashMap<>(partitions));
        queues = Collections.unmodifiableMap(new LinkedHashMap<>(queues));
    }
}
