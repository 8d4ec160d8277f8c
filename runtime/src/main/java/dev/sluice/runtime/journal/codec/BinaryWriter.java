package dev.sluice.runtime.journal.codec;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes numbers, texts and instants, in the format described by this package, into memory or to a stream. Exceptions
 * of the stream are rethrown as {@link UncheckedIOException}.
 */
final class BinaryWriter {

    /** The maximum length of a text in the dictionary. */
    static final int DICTIONARY_TEXT_LENGTH_MAX = 256;

    /** The maximum number of texts in the dictionary; a full dictionary is cleared. */
    static final int DICTIONARY_MAX = 1 << 16;

    /** The prefix of a text that is added to the dictionary. */
    static final int NEW_TEXT = 0;

    /** The prefix of a text that is not added to the dictionary. */
    static final int PLAIN_TEXT = 1;

    /** The offset added to the number of a text in the dictionary. */
    static final int KNOWN_TEXT = 2;

    private static final int BUFFER = 1 << 16;
    private static final int NUMBER_LENGTH_MAX = 10;

    private final @Nullable OutputStream out;
    private final CRC32C sum = new CRC32C();
    private byte[] buffer = new byte[BUFFER];
    private int position;
    private Map<String, Integer> dictionary = new HashMap<>();
    private Instant latest = Instant.EPOCH;

    /** Writes to a stream, or, if it is null, into memory. */
    BinaryWriter(@Nullable OutputStream out) {
        this.out = out;
        forget();
    }

    /** Discards the bytes in memory and clears the dictionary. */
    void clear() {
        position = 0;
        latest = Instant.EPOCH;
        buffer = buffer.length > 16 * BUFFER ? new byte[BUFFER] : buffer;
        forget();
    }

    private void forget() {
        // clearing a map takes time proportional to its largest size so far
        dictionary = dictionary.size() > 1024 ? new HashMap<>() : dictionary;
        dictionary.clear();
        dictionary.put("", 0);
    }

    /** Returns the number of bytes in memory. */
    int size() {
        return position;
    }

    /** Discards the bytes after this size. Nothing written since then may have been added to a dictionary. */
    void truncate(int size) {
        position = size;
    }

    /** Returns the bytes in memory, followed by their checksum. */
    byte[] withSum() {
        sum.reset();
        sum.update(buffer, 0, position);
        byte[] bytes = Arrays.copyOf(buffer, position + BinaryReader.SUM_LENGTH);
        putInt(bytes, position, (int) sum.getValue());
        return bytes;
    }

    /** Writes the checksum of everything written and flushes to the stream. */
    void endWithSum() {
        flush();
        byte[] bytes = new byte[BinaryReader.SUM_LENGTH];
        putInt(bytes, 0, (int) sum.getValue());
        hand(bytes, bytes.length);
    }

    private static void putInt(byte[] bytes, int at, int value) {
        for (int i = 0; i < BinaryReader.SUM_LENGTH; i++) {
            bytes[at + i] = (byte) (value >>> (8 * i));
        }
    }

    /** Writes one byte. */
    void octet(int value) {
        ensureCapacity(1);
        buffer[position++] = (byte) value;
    }

    /** Writes a number in variable length; short if it is small and not negative. */
    void number(long value) {
        ensureCapacity(NUMBER_LENGTH_MAX);
        long left = value;
        while ((left & ~0x7FL) != 0) {
            buffer[position++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        buffer[position++] = (byte) left;
    }

    /** Writes a number zigzag-encoded; short if its absolute value is small. */
    void signed(long value) {
        number((value << 1) ^ (value >> 63));
    }

    void flag(boolean value) {
        octet(value ? 1 : 0);
    }

    /** Writes the exact bits of a floating-point number. */
    void decimal(double value) {
        long bits = Double.doubleToRawLongBits(value);
        for (int i = 0; i < Double.BYTES; i++) {
            octet((int) (bits >>> (8 * i)));
        }
    }

    /** Writes a text, using the dictionary. */
    void text(String text) {
        Integer known = dictionary.get(text);
        if (known != null) {
            number(known + KNOWN_TEXT);
        } else if (text.length() > DICTIONARY_TEXT_LENGTH_MAX) {
            number(PLAIN_TEXT);
            characters(text);
        } else {
            if (dictionary.size() == DICTIONARY_MAX) {
                forget();
            }
            dictionary.put(text, dictionary.size());
            number(NEW_TEXT);
            characters(text);
        }
    }

    private void characters(String text) {
        int length = text.length();
        boolean wide = false;
        for (int i = 0; i < length && !wide; i++) {
            wide = text.charAt(i) > 0xFF;
        }
        number((long) length << 1 | (wide ? 1 : 0));
        for (int from = 0; from < length; from += BUFFER / 2) {
            int to = Math.min(length, from + BUFFER / 2);
            ensureCapacity((to - from) * (wide ? 2 : 1));
            for (int i = from; i < to; i++) {
                char character = text.charAt(i);
                if (wide) {
                    buffer[position++] = (byte) (character >>> 8);
                }
                buffer[position++] = (byte) character;
            }
        }
    }

    /** Writes an instant; short if it equals or is close to the one before. */
    void instant(Instant instant) {
        if (instant.equals(latest)) {
            number(0);
            return;
        }
        long seconds = instant.getEpochSecond() - latest.getEpochSecond();
        number(((seconds << 1) ^ (seconds >> 63)) + 1);
        nanos(instant.getNano());
        latest = instant;
    }

    /** Returns whether this instant equals the one written last. */
    boolean isLatest(Instant instant) {
        return latest.equals(instant);
    }

    /** Writes an instant as the time from it to a later one. */
    void instantBefore(Instant later, Instant instant) {
        long seconds = later.getEpochSecond() - instant.getEpochSecond();
        int nanos = later.getNano() - instant.getNano();
        signed(nanos < 0 ? seconds - 1 : seconds);
        nanos(nanos < 0 ? nanos + 1_000_000_000 : nanos);
    }

    void duration(Duration duration) {
        signed(duration.getSeconds());
        nanos(duration.getNano());
    }

    /** Writes nanoseconds of a second; short if they are whole milliseconds or microseconds. */
    private void nanos(int nanos) {
        if (nanos % 1_000_000 == 0) {
            number((long) (nanos / 1_000_000) << 2);
        } else if (nanos % 1_000 == 0) {
            number((long) (nanos / 1_000) << 2 | 1);
        } else {
            number((long) nanos << 2 | 2);
        }
    }

    private void ensureCapacity(int bytes) {
        if (buffer.length - position >= bytes) {
            return;
        }
        if (out != null) {
            flush();
        } else {
            buffer = Arrays.copyOf(buffer, Math.max(Math.multiplyExact(buffer.length, 2), position + bytes));
        }
    }

    private void flush() {
        sum.update(buffer, 0, position);
        hand(buffer, position);
        position = 0;
    }

    private void hand(byte[] bytes, int length) {
        try {
            if (out != null) {
                out.write(bytes, 0, length);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
