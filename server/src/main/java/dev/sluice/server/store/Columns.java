package dev.sluice.server.store;

import dev.sluice.core.state.SchedulerLimits;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** The column formats of values, and checksums. */
public final class Columns {

    /** Maximum length of queue paths, which are ASCII; older journals have longer ones. */
    private static final int INDEXED_LENGTH_MAX = SchedulerLimits.QUEUE_PATH_LENGTH_MAX;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private Columns() {}

    /**
     * Returns nanoseconds since 1970.
     *
     * @throws IllegalArgumentException if the instant is outside the years 1678 to 2261
     */
    static long exactNanos(Instant instant) {
        try {
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("timestamp must be between 1678 and 2261: " + instant, e);
        }
    }

    /** Returns nanoseconds since 1970, or the nearest value that fits: instants in queries are arbitrary. */
    public static long nanos(Instant instant) {
        try {
            return exactNanos(instant);
        } catch (IllegalArgumentException e) {
            return instant.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    public static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
    }

    /** Returns a text that both databases accept: PostgreSQL has no character 0, so it is replaced by U+FFFD. */
    static String text(String text) {
        return text.indexOf(0) < 0 ? text : text.replace('\0', '\ufffd');
    }

    /** Returns a prefix short enough to be indexed: PostgreSQL refuses rows with index entries above 2,704 bytes. */
    static String indexed(String text) {
        return text(text.length() <= INDEXED_LENGTH_MAX ? text : text.substring(0, INDEXED_LENGTH_MAX));
    }

    /** Returns a line {@code type=amount} for each type; names of types contain no line break. */
    static String resources(SortedMap<String, Long> amounts) {
        StringBuilder text = new StringBuilder();
        amounts.forEach(
                (type, amount) -> text.append(type).append('=').append(amount).append('\n'));
        return text.toString();
    }

    static SortedMap<String, Long> parseResources(String text) {
        SortedMap<String, Long> resources = new TreeMap<>();
        text.lines()
                .forEach(line -> resources.put(
                        line.substring(0, line.lastIndexOf('=')),
                        Long.parseLong(line.substring(line.lastIndexOf('=') + 1))));
        return resources;
    }

    /** Returns the CRC32C of the numbers, 8 bytes each, followed by the bytes. */
    static long checksum(byte[] bytes, long... numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long number : numbers) {
            buffer.putLong(number);
        }
        CRC32C checksum = new CRC32C();
        checksum.update(buffer.flip());
        checksum.update(bytes, 0, bytes.length);
        return checksum.getValue();
    }
}
