package dev.sluice.runtime.journal.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cache of recently read texts, so that repeated texts share one object: this saves allocations and recomputing hash
 * codes.
 *
 * <p>Direct-mapped: each text has one slot, determined by its hash, and replaces the previous one.
 */
final class TextCache {

    private static final int BITS = 16;
    private static final int LENGTH_MAX = 64;
    private static final long FACTOR = 0x9E3779B97F4A7C15L; // 2^64 divided by the golden ratio
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final @Nullable Entry[] entries = new Entry[1 << BITS];

    private static final class Entry {
        private final byte[] bytes;
        private final String text;

        Entry(byte[] bytes, String text) {
            this.bytes = bytes;
            this.text = text;
        }
    }

    /** Returns the text of these ISO 8859-1 bytes. */
    String latin(byte[] bytes, int from, int length) {
        if (length > LENGTH_MAX) {
            return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        }
        int slot = slot(bytes, from, length);
        Entry known = entries[slot];
        if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, bytes, from, from + length)) {
            return known.text;
        }
        String text = new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        entries[slot] = new Entry(Arrays.copyOfRange(bytes, from, from + length), text);
        return text;
    }

    /** Hashes eight bytes at a time, the last eight of which may overlap those before. */
    private static int slot(byte[] bytes, int from, int length) {
        long hash = length;
        int end = from + length;
        if (length >= Long.BYTES) {
            for (int i = from; i < end - Long.BYTES; i += Long.BYTES) {
                hash = mix(hash ^ (long) WORDS.get(bytes, i));
            }
            hash ^= (long) WORDS.get(bytes, end - Long.BYTES);
        } else {
            for (int i = from; i < end; i++) {
                hash = (hash << 8) | (bytes[i] & 0xFF);
            }
        }
        return (int) (mix(hash) >>> (Long.SIZE - BITS));
    }

    private static long mix(long hash) {
        long product = hash * FACTOR;
        return product ^ (product >>> 32);
    }
}
