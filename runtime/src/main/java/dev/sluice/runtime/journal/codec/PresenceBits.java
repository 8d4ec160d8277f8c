package dev.sluice.runtime.journal.codec;

import org.jspecify.annotations.Nullable;

/**
 * Which fields of a record are written: the others have the value that they have by default. A field that a later release adds takes
 * the next bit, so a record that lacks it is read as one that has its default.
 */
final class PresenceBits {

    private PresenceBits() {}

    /** The bit, if the field is written. */
    static int bit(int bit, boolean isWritten) {
        return isWritten ? bit : 0;
    }

    /** The bit, if there is a value. */
    static int bit(int bit, @Nullable Object value) {
        return value == null ? 0 : bit;
    }

    /** Reads the bits of the fields that are written; throws if there are others than those of this mask. */
    static int read(BinaryReader in, int known, String record) {
        int fields = in.integer();
        if ((fields & ~known) != 0) {
            throw new IllegalStateException(
                    "a " + record + " has fields that this release does not know; a later one wrote it");
        }
        return fields;
    }

    /** Whether this field is written. */
    static boolean has(int fields, int bit) {
        return (fields & bit) != 0;
    }
}
