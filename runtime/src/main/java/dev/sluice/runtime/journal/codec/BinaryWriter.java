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
 * Writes numbers, texts and instants as the description of this package says, into memory or to a stream. What the stream throws
 * comes out as {@link UncheckedIOException}.
 */
final class BinaryWriter {

    /** The longest text that the dictionary takes. */
    static final int DICTIONARY_TEXT_LENGTH_MAX = 256;

    /** The most texts in the dictionary; when it is full it is emptied. */
    static final int DICTIONARY_MAX = 1 << 16;

    /** What a text begins with that the dictionary takes now. */
    static final int NEW_TEXT = 0;

    /** What a text begins with that the dictionary does not take. */
    static final int PLAIN_TEXT = 1;

    /** What is added to the number of a text that the dictionary has. */
    static final int KNOWN_TEXT = 2;

    private static final int BUFFER = 1 << 16;
    private static final int NUMBER_LENGTH_MAX = 10;

    private final @Nullable OutputStream out;
    private final CRC32C sum = new CRC32C();
    private byte[] buffer = new byte[BUFFER];
    private int position;
    private Map<String, Integer> dictionary = new HashMap<>();
    private Instant latest = Instant.EPOCH;

    /** Writes to a stream, or into memory. */
    BinaryWriter(@Nullable OutputStream out) {
        this.out = out;
        forget();
    }

    /** Begins anew: nothing is written yet, and no text is known. Only in memory. */
    void clear() {
        position = 0;
        latest = Instant.EPOCH;
        buffer = buffer.length > 16 * BUFFER ? new byte[BUFFER] : buffer;
        forget();
    }

    private void forget() {
        // emptying a large map takes as long as its largest size was
        dictionary = dictionary.size() > 1024 ? new HashMap<>() : dictionary;
        dictionary.clear();
        dictionary.put("", 0);
    }

    /** How many bytes there are in memory. */
    int size() {
        return position;
    }

    /** Takes back all bytes after so many. What was written since then must not be referred to. */
    void truncate(int size) {
        position = size;
    }

    /** What is in memory, followed by its check sum. */
    byte[] withSum() {
        sum.reset();
        sum.update(buffer, 0, position);
        byte[] bytes = Arrays.copyOf(buffer, position + BinaryReader.SUM_LENGTH);
        putInt(bytes, position, (int) sum.getValue());
        return bytes;
    }

    /** Writes the check sum of all that was written and hands everything on to the stream. */
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

    /** One byte. */
    void octet(int value) {
        ensureCapacity(1);
        buffer[position++] = (byte) value;
    }

    /** A number, short if it is small and not negative. */
    void number(long value) {
        ensureCapacity(NUMBER_LENGTH_MAX);
        long left = value;
        while ((left & ~0x7FL) != 0) {
            buffer[position++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        buffer[position++] = (byte) left;
    }

    /** A number, short if it is near zero. */
    void signed(long value) {
        number((value << 1) ^ (value >> 63));
    }

    /** A truth value. */
    void flag(boolean value) {
        octet(value ? 1 : 0);
    }

    /** A number with a fraction, exactly. */
    void decimal(double value) {
        long bits = Double.doubleToRawLongBits(value);
        for (int i = 0; i < Double.BYTES; i++) {
            octet((int) (bits >>> (8 * i)));
        }
    }

    /** A text, through the dictionary. */
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

    /** An instant, short if it is the one before or near to it. */
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

    /** Whether this instant is the one that was written last. */
    boolean isLatest(Instant instant) {
        return latest.equals(instant);
    }

    /** A duration. */
    void duration(Duration duration) {
        signed(duration.getSeconds());
        nanos(duration.getNano());
    }

    /** Nanoseconds of a second, short if they are whole milliseconds or microseconds. */
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
