package dev.sluice.server.store;

import dev.sluice.core.state.SchedulerLimits;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.zip.CRC32C;

/** How values stand in columns, and their checksums. */
final class Columns {

    /** As long as paths of queues may be, which consist of ASCII characters; older journals have longer ones. */
    private static final int INDEXED_LENGTH_MAX = SchedulerLimits.QUEUE_PATH_LENGTH_MAX;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private Columns() {}

    /**
     * Nanoseconds since 1970.
     *
     * @throws IllegalArgumentException beyond the years 1678 to 2261
     */
    static long exactNanos(Instant instant) {
        try {
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("timestamp must be between 1678 and 2261: " + instant, e);
        }
    }

    /** Nanoseconds since 1970, or the nearest that there is: what people look up may hold any instant. */
    static long nanos(Instant instant) {
        try {
            return exactNanos(instant);
        } catch (IllegalArgumentException e) {
            return instant.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
    }

    /** A text as both databases take it: PostgreSQL has no character 0, so it becomes the one that stands for what cannot be shown. */
    static String text(String text) {
        return text.indexOf(0) < 0 ? text : text.replace('\0', '\ufffd');
    }

    /** The beginning of a text, as much of it as an index takes: PostgreSQL refuses rows of which an index would need 2,704 bytes. */
    static String indexed(String text) {
        return text(text.length() <= INDEXED_LENGTH_MAX ? text : text.substring(0, INDEXED_LENGTH_MAX));
    }

    /** CRC32C over numbers, each in 8 bytes, and then bytes. */
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
