package dev.sluice.server.store;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.zip.CRC32C;

/** How values stand in columns, and their checksums. */
final class Columns {

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
            throw new IllegalArgumentException("only instants from 1678 to 2261 can be kept: " + instant, e);
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
