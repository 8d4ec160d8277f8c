package dev.sluice.simulator.workload.swf;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header comments of a log.
 *
 * @param start the instant from which submit times are counted ({@code UnixStartTime}); 1970 if missing
 * @param processors the processors of the machine: {@code MaxProcs}, else {@code MaxNodes}, else 0
 * @param timeZone the time zone of the machine ({@code TimeZoneString}), such as {@code Europe/London}; null if
 *     missing. Instants do not depend on it
 * @param partitions the names of the partitions by number, converted to valid queue names that are unique regardless of
 *     case
 * @param queues the names of the queues, likewise
 * @param wide whether jobs have more columns than the format defines, as the first one has; extra columns are ignored
 */
record SwfHeader(
        Instant start,
        long processors,
        @Nullable String timeZone,
        Map<Long, String> partitions,
        Map<Long, String> queues,
        boolean wide) {

    /** The header of a log without header comments. */
    static final SwfHeader NONE = new SwfHeader(Instant.EPOCH, 0, null, Map.of(), Map.of(), false);

    /** Copies the maps, preserving their order. */
    SwfHeader {
        partitions = Collections.unmodifiableMap(new LinkedHashMap<>(partitions));
        queues = Collections.unmodifiableMap(new LinkedHashMap<>(queues));
    }
}
