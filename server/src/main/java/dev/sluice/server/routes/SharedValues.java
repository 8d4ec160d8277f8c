package dev.sluice.server.routes;

import dev.sluice.core.resource.Resources;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was submitted lately, so that what is submitted again and again is one object for all applications that wait: it stays in memory as
 * long as they do.
 *
 * <p>Each value has one place, by the hash of its text, and drives out the one that was there: hence neither many values nor such as
 * were made to agree in their hashes can do anything but not be shared. Used by several threads without a lock: all that is
 * lost if two come to one place is, again, that something is not shared.
 */
final class SharedValues {

    private static final int PLACES = 1 << 12;
    private static final int LENGTH_MAX = 128;

    private final @Nullable String[] texts = new String[PLACES];
    private final @Nullable Named[] resources = new Named[PLACES];

    /** Resources and what was written for them. */
    private record Named(String written, Resources resources) {}

    /** The same text, the one that was there before if there is one. */
    String text(String text) {
        if (text.length() > LENGTH_MAX) {
            return text;
        }
        int place = place(text);
        String known = texts[place];
        if (text.equals(known)) {
            return known;
        }
        texts[place] = text;
        return text;
    }

    /** What is meant by this, worked out unless it is there. */
    Resources resources(String written, Supplier<Resources> read) {
        int place = place(written);
        Named known = resources[place];
        if (known != null && known.written().equals(written)) {
            return known.resources();
        }
        Named found = new Named(written, read.get());
        if (written.length() <= LENGTH_MAX) {
            resources[place] = found;
        }
        return found.resources();
    }

    private static int place(String text) {
        int hash = text.hashCode();
        return (hash ^ hash >>> 16) & (PLACES - 1);
    }
}
