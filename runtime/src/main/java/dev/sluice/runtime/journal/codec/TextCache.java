package dev.sluice.runtime.journal.codec;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Texts that were read lately, so that what is read again and again is one object: that saves making it, and whoever looks it up in a
 * table finds its hash worked out.
 *
 * <p>Each text has one index, by its hash, and drives out the one that was there.
 */
final class TextCache {

    private static final int SIZE = 1 << 16;
    private static final int LENGTH_MAX = 64;

    private final @Nullable String[] entries = new String[SIZE];

    /** The text of these bytes, each a character. */
    String latin(byte[] bytes, int from, int length) {
        if (length > LENGTH_MAX) {
            return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        }
        int hash = 0; // as String has it
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + (bytes[i] & 0xFF);
        }
        int index = (hash ^ hash >>> 16) & (SIZE - 1);
        String known = entries[index];
        if (known != null && known.hashCode() == hash && isSame(known, bytes, from, length)) {
            return known;
        }
        String text = new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        if (text.hashCode() == hash) { // always; but now the text knows it, too
            entries[index] = text;
        }
        return text;
    }

    private static boolean isSame(String text, byte[] bytes, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != (bytes[from + i] & 0xFF)) {
                return false;
            }
        }
        return true;
    }
}
