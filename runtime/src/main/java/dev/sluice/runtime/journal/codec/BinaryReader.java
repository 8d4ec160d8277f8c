package dev.sluice.runtime.journal.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the format of {@link BinaryWriter}. Throws {@link IllegalStateException} for input that it cannot have written.
 * Never allocates memory for a declared length before the bytes are available. Exceptions of the stream are rethrown as
 * {@link UncheckedIOException}.
 */
final class BinaryReader {

    /** The length of a checksum in bytes. */
    static final int SUM_LENGTH = 4;

    private static final int BUFFER = 1 << 16;

    private final @Nullable InputStream in;
    private final TextCache texts;
    private final CRC32C sum = new CRC32C();
    private byte[] buffer;
    private int position;
    private int limit;
    private int unsummed; // the position in the buffer up to which the checksum includes what was read
    private @Nullable String[] dictionary = new String[64]; // null if skipped and not needed so far
    private int[] skipped = new int[64]; // the positions of the skipped texts
    private int known;
    private Instant latest = Instant.EPOCH;

    /** Reads from a stream, or, if it is null, from the bytes passed to {@link #open}. */
    BinaryReader(@Nullable InputStream in, TextCache texts) {
        this.in = in;
        this.texts = texts;
        this.buffer = new byte[in == null ? 0 : BUFFER];
        forget();
    }

    /** Starts reading these bytes, which end with a checksum of the others. */
    void open(byte[] bytes) {
        latest = Instant.EPOCH;
        forget();
        buffer = bytes;
        position = 0;
        limit = bytes.length - SUM_LENGTH;
        if (limit < 0) {
            throw new IllegalStateException("truncated: " + bytes.length + " bytes");
        }
        sum.reset();
        sum.update(bytes, 0, limit);
        if ((int) sum.getValue() != intAt(bytes, limit)) {
            throw new IllegalStateException("checksum mismatch");
        }
    }

    private void forget() {
        known = 0;
        keep("");
    }

    /** Throws if unread bytes remain in memory. */
    void end() {
        if (position != limit) {
            throw new IllegalStateException((limit - position) + " unexpected bytes after the end");
        }
    }

    /** Reads the checksum of everything read so far, and throws if it does not match. */
    void endWithSum() {
        sum.update(buffer, unsummed, position - unsummed);
        int expected = (int) sum.getValue();
        byte[] bytes = new byte[SUM_LENGTH];
        for (int i = 0; i < SUM_LENGTH; i++) {
            bytes[i] = (byte) octet();
        }
        if (intAt(bytes, 0) != expected) {
            throw new IllegalStateException("checksum mismatch");
        }
    }

    private static int intAt(byte[] bytes, int at) {
        return (bytes[at] & 0xFF)
                | (bytes[at + 1] & 0xFF) << 8
                | (bytes[at + 2] & 0xFF) << 16
                | (bytes[at + 3] & 0xFF) << 24;
    }

    /** Reads an unsigned byte, 0 to 255. */
    int octet() {
        if (position == limit) {
            refill();
        }
        return buffer[position++] & 0xFF;
    }

    /** Reads a variable-length unsigned number. */
    long number() {
        if (position < limit) {
            byte first = buffer[position];
            if (first >= 0) {
                position++;
                return first;
            }
        }
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = octet();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalStateException("number is longer than 64 bits");
    }

    /** Skips a variable-length number. */
    void skipNumber() {
        int next = octet();
        while (next >= 0x80) {
            next = octet();
        }
    }

    /** Reads a zigzag-encoded number. */
    long signed() {
        long value = number();
        return (value >>> 1) ^ -(value & 1);
    }

    /** Reads a variable-length number that fits into an {@code int}. */
    int integer() {
        long value = number();
        if ((int) value != value) {
            throw new IllegalStateException("number out of range: " + value);
        }
        return (int) value;
    }

    /** Reads a zigzag-encoded number that fits into an {@code int}. */
    int signedInteger() {
        long value = signed();
        if ((int) value != value) {
            throw new IllegalStateException("number out of range: " + value);
        }
        return (int) value;
    }

    /** Reads the number of elements that follow, each of which takes at least one byte. */
    int count() {
        long count = number();
        if (count < 0 || count > (in == null ? limit - position : Integer.MAX_VALUE)) {
            throw new IllegalStateException("count out of range: " + Long.toUnsignedString(count));
        }
        return (int) count;
    }

    /** Returns the capacity to allocate for this number of elements before they are read. */
    static int initialCapacity(int count) {
        return Math.min(count, 1024);
    }

    boolean flag() {
        int value = octet();
        if (value > 1) {
            throw new IllegalStateException("invalid boolean: " + value);
        }
        return value == 1;
    }

    double decimal() {
        long bits = 0;
        for (int i = 0; i < Double.BYTES; i++) {
            bits |= (long) octet() << (8 * i);
        }
        return Double.longBitsToDouble(bits);
    }

    String text() {
        long which = number();
        if (which >= BinaryWriter.KNOWN_TEXT) {
            long number = which - BinaryWriter.KNOWN_TEXT;
            if (number >= known) {
                throw new IllegalStateException("unknown text number " + number);
            }
            String text = dictionary[(int) number];
            return text == null ? textAt((int) number) : text;
        }
        if (which == BinaryWriter.PLAIN_TEXT) {
            return characters();
        }
        if (which != BinaryWriter.NEW_TEXT) {
            throw new IllegalStateException("unknown text number " + which);
        }
        String text = characters();
        if (text.length() > BinaryWriter.DICTIONARY_TEXT_LENGTH_MAX) {
            throw new IllegalStateException("text too long for the dictionary");
        }
        if (known == BinaryWriter.DICTIONARY_MAX) {
            forget();
        }
        keep(text);
        return text;
    }

    private void keep(@Nullable String text) {
        if (known == dictionary.length) {
            dictionary = Arrays.copyOf(dictionary, known * 2);
            skipped = Arrays.copyOf(skipped, known * 2);
        }
        dictionary[known++] = text;
    }

    /** Skips a text in memory. Its characters are read when another text refers to it. */
    void skipText() {
        long which = number();
        if (which >= BinaryWriter.KNOWN_TEXT) {
            return;
        }
        int start = position;
        long head = number();
        long length = (head & 1) != 0 ? head & ~1L : head >>> 1;
        if (in != null || length < 0 || length > limit - position) {
            throw new IllegalStateException("text length out of range: " + length);
        }
        position += (int) length;
        if (which == BinaryWriter.NEW_TEXT) {
            if (known == BinaryWriter.DICTIONARY_MAX) {
                forget();
            }
            keep(null);
            skipped[known - 1] = start;
        }
    }

    /** Reads a text of the dictionary that was skipped. */
    private String textAt(int number) {
        int next = position;
        position = skipped[number];
        String text = characters();
        position = next;
        dictionary[number] = text;
        return text;
    }

    private String characters() {
        long head = number();
        long length = head >>> 1;
        boolean wide = (head & 1) != 0;
        long bytes = wide ? length * 2 : length;
        if (length <= limit - position && bytes <= limit - position) {
            String text = wide ? wide(buffer, position, (int) length) : texts.latin(buffer, position, (int) length);
            position += (int) bytes;
            return text;
        }
        if (in == null || length > Integer.MAX_VALUE / 4) {
            throw new IllegalStateException("text length out of range: " + length);
        }
        return piecewise((int) length, wide);
    }

    /** Reads a text that is not entirely in the buffer. */
    private String piecewise(int length, boolean wide) {
        StringBuilder text = new StringBuilder(Math.min(length, BUFFER));
        for (int i = 0; i < length; i++) {
            text.append((char) (wide ? octet() << 8 | octet() : octet()));
        }
        return text.toString();
    }

    private static String wide(byte[] bytes, int from, int length) {
        char[] characters = new char[length];
        for (int i = 0; i < length; i++) {
            characters[i] = (char) ((bytes[from + 2 * i] & 0xFF) << 8 | (bytes[from + 2 * i + 1] & 0xFF));
        }
        return new String(characters);
    }

    Instant instant() {
        long head = number();
        if (head != 0) {
            long difference = head - 1;
            long seconds = (difference >>> 1) ^ -(difference & 1);
            latest = instant(latest.getEpochSecond() + seconds, nanos());
        }
        return latest;
    }

    private static Instant instant(long seconds, long nanos) {
        try {
            return Instant.ofEpochSecond(seconds, nanos);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalStateException("instant out of range", e);
        }
    }

    /** Reads an instant written as the time from it to this later one. */
    Instant instantBefore(Instant later) {
        long seconds = signed();
        return instant(later.getEpochSecond() - seconds, (long) later.getNano() - nanos());
    }

    /** Skips an instant written as the time from it to a later one. */
    void skipInstantBefore() {
        skipNumber();
        skipNumber();
    }

    /** Returns the instant read last. */
    Instant latest() {
        return latest;
    }

    Duration duration() {
        long seconds = signed();
        return Duration.ofSeconds(seconds, nanos());
    }

    private int nanos() {
        long head = number();
        long scale = switch ((int) (head & 3)) {
            case 0 -> 1_000_000;
            case 1 -> 1_000;
            case 2 -> 1;
            default -> throw new IllegalStateException("invalid encoding of nanoseconds");
        };
        long value = head >>> 2;
        if (value >= 1_000_000_000 / scale) {
            throw new IllegalStateException("nanoseconds out of range");
        }
        return (int) (value * scale);
    }

    private void refill() {
        if (in == null) {
            throw new IllegalStateException("unexpected end of data");
        }
        sum.update(buffer, unsummed, position - unsummed);
        try {
            int read = in.readNBytes(buffer, 0, buffer.length);
            if (read == 0) {
                throw new IllegalStateException("unexpected end of data");
            }
            position = 0;
            unsummed = 0;
            limit = read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
