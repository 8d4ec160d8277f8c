package dev.sluice.config.yaml;

import org.jspecify.annotations.Nullable;

/**
 * Shares equal texts of documents that are read one after the other, so that what is kept of them holds each text once.
 *
 * <p>Each text has one slot, selected by its hash, and replaces the text in it. So neither many texts nor colliding
 * hashes can do more than prevent sharing. Used by several threads without a lock: a race, too, only prevents sharing.
 */
public final class TextInterner {

    /** The maximum number of texts; a power of two. */
    static final int SIZE = 1 << 12;

    /** The maximum number of characters of a shared text. */
    static final int LENGTH_MAX = 128;

    private final @Nullable String[] texts = new String[SIZE];

    /** Returns an equal text, the shared one if there is one. */
    public String text(String text) {
        if (text.length() > LENGTH_MAX) {
            return text;
        }
        int index = index(text.hashCode());
        String known = texts[index];
        if (text.equals(known)) {
            return known;
        }
        texts[index] = text;
        return text;
    }

    /**
     * Returns the part of {@code source} between these indexes, the shared one if there is one.
     *
     * @param hash the hash of the part, as {@link String#hashCode} computes it
     */
    String part(String source, int from, int to, int hash) {
        int length = to - from;
        if (length > LENGTH_MAX) {
            return source.substring(from, to);
        }
        int index = index(hash);
        String known = texts[index];
        if (known != null && known.length() == length && source.startsWith(known, from)) {
            return known;
        }
        String part = source.substring(from, to);
        texts[index] = part;
        return part;
    }

    private static int index(int hash) {
        return (hash ^ hash >>> 16) & (SIZE - 1);
    }
}
