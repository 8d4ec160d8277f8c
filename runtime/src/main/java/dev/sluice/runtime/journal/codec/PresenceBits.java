package dev.sluice.runtime.journal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Which fields of a record are written; the others have their defaults. A later release that adds a field uses the next
 * bit, so a record without it is read with the default.
 */
final class PresenceBits {

    private PresenceBits() {}

    /** Returns the bit if the field is written, otherwise 0. */
    static int bit(int bit, boolean isWritten) {
        return isWritten ? bit : 0;
    }

    /** Returns the bit if the value is not null, otherwise 0. */
    static int bit(int bit, @Nullable Object value) {
        return value == null ? 0 : bit;
    }

    /** Reads the bits of the written fields; throws if there are bits outside this mask. */
    static int read(BinaryReader in, int known, String record) {
        int fields = in.integer();
        if ((fields & ~known) != 0) {
            throw new IllegalStateException(record + " with unknown fields; it was written by a later release");
        }
        return fields;
    }

    /** Returns whether this field is written. */
    static boolean has(int fields, int bit) {
        return (fields & bit) != 0;
    }
}
