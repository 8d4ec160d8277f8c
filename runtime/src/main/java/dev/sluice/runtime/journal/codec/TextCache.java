package dev.sluice.runtime.journal.codec;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A cache of recently read texts, so that repeated texts share one object: this saves allocations and recomputing hash
 * codes.
 *
 * <p>Direct-mapped: each text has one slot, determined by its hash, and replaces the previous one.
 */
final class TextCache {

    private static final int SIZE = 1 << 16;
    private static final int LENGTH_MAX = 64;

    private final @Nullable String[] entries = new String[SIZE];

    /** Returns the text of these ISO 8859-1 bytes. */
    String latin(byte[] bytes, int from, int length) {
        if (length > LENGTH_MAX) {
            return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        }
        int hash = 0; // as computed by String
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + (bytes[i] & 0xFF);
        }
        int index = (hash ^ hash >>> 16) & (SIZE - 1);
        String known = entries[index];
        if (known != null && known.hashCode() == hash && isSame(known, bytes, from, length)) {
            return known;
        }
        String text = new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        if (text.hashCode() == hash) { // always true; the call makes the text cache its hash code
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
